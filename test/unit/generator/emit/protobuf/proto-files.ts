/** Emits protobuf files of a model, and reads them with a parser. */
import { protoEmitter } from '../../../../../generator/emit/protobuf/proto.js';
import { emptyLock, numberFields, type ProtobufLock } from '../../../../../generator/lock/lock.js';
import { planModel } from '../../../../../generator/lock/plan-model.js';
import type { Model } from '../../../../../generator/model/model.js';
import { outputText } from '../../../../support/output-text.js';
import { checkReferences, type ProtoFile, parseProto } from '../../lock/proto-parser.js';

/** A model whose fields have the numbers of the lock, and further ones where it has none. */
export const numbered = (model: Model, lock: ProtobufLock = emptyLock): Model => ({
  ...model,
  protobuf: numberFields(
    lock,
    planModel(model).flatMap(({ messages }) => messages),
  ).lock,
});

/** The text of each file by its path. */
export const emit = (model: Model, emitter = protoEmitter): Map<string, string> =>
  new Map((emitter.emitModel?.(model) ?? []).map((file) => [file.path, outputText(file)]));

/** The content of each file by its path in the folder of protobuf files; throws where one refers to what is not there. */
export function parse(files: ReadonlyMap<string, string>): Map<string, ProtoFile> {
  const parsed = new Map(
    [...files].map(([path, content]) => [path.slice('proto/'.length), parseProto(content)] as const),
  );
  checkReferences(parsed);
  return parsed;
}
