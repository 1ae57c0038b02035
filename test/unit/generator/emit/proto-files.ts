/** Emits protobuf files of a model, and reads them with a parser. */
import { protoEmitter } from '../../../../generator/emit/proto.js';
import { emptyLock, numberFields, type ProtobufLock } from '../../../../generator/lock/lock.js';
import { planModel } from '../../../../generator/lock/plan-model.js';
import type { Model } from '../../../../generator/model/model.js';
import { outputText } from '../../../support/output-text.js';
import { checkReferences, type ProtoFile, parseProto } from '../lock/proto-parser.js';

/** Returns a model that numbers its fields by the lock, and fields that are not in it with further numbers. */
export const numbered = (model: Model, lock: ProtobufLock = emptyLock): Model => ({
  ...model,
  protobuf: numberFields(
    lock,
    planModel(model).flatMap(({ messages }) => messages),
  ).lock,
});

/** Returns the text of each file by its path. */
export const emit = (model: Model, emitter = protoEmitter): Map<string, string> =>
  new Map((emitter.emitModel?.(model) ?? []).map((file) => [file.path, outputText(file)]));

/**
 * Parses each file, by its path in the folder of protobuf files. Throws if one refers to something that does not exist.
 */
export function parse(files: ReadonlyMap<string, string>): Map<string, ProtoFile> {
  const parsed = new Map(
    [...files].map(([path, content]) => [path.slice('proto/'.length), parseProto(content)] as const),
  );
  checkReferences(parsed);
  return parsed;
}
