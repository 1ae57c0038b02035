/**
 * Makes the protobuf schema of a kind for the codec: messages with their numbers, and the fields that are always
 * written.
 */
import type { ProtobufField, ProtobufMessage, ProtobufSchema, Schema } from '../../runtime/contract/index.js';
import type { ProtobufLock, ResourceModel, VersionModel } from '../model/model.js';
import { protobufSchema } from './lock.js';
import type { PlannedField, PlannedMessage } from './plan.js';
import { type PlannedVersion, planVersions } from './plan-model.js';

/**
 * Returns the schema of a version in a model with numbers; `undefined` for structural kinds, which have no protobuf.
 */
export function protobufOf(
  resource: ResourceModel,
  version: VersionModel,
  types: ReadonlyMap<string, Schema>,
  lock: ProtobufLock | undefined,
): ProtobufSchema | undefined {
  if (resource.decoding !== 'typed' || lock === undefined) return undefined;
  const planned = planVersions(resource, types).find((each) => each.version === version);
  return planned && schemaOf(planned, lock);
}

/** Returns the schema of all messages of a version, including messages of libraries. */
export function schemaOf({ messages, library, resource }: PlannedVersion, lock: ProtobufLock): ProtobufSchema {
  const numbered = protobufSchema(`${library}#/${resource.names.kind}`, lock);
  const planned = new Map(messages.map((message) => [message.id, message]));
  const marked = Object.entries(numbered.messages).map(
    ([id, message]) => [id, withPresence(message, plannedAt(planned, id)?.fields ?? [])] as const,
  );
  return { message: numbered.message, messages: Object.fromEntries(marked) };
}

/** Returns the plan of a message. Fields of an inlined message are planned at its place. */
export function plannedAt(planned: ReadonlyMap<string, PlannedMessage>, id: string): PlannedMessage | undefined {
  const inlined = id.lastIndexOf(':');
  return planned.get(id) ?? (inlined < 0 ? undefined : plannedAt(planned, id.slice(0, inlined)));
}

function withPresence(message: ProtobufMessage, fields: readonly PlannedField[]): ProtobufMessage {
  const always = new Set(fields.filter((field) => field.always).map(({ name }) => name));
  const marked = Object.entries(message).map(([name, [number, type]]): [string, ProtobufField] => [
    name,
    always.has(name) ? [number, type, 'always'] : [number, type],
  ]);
  return Object.fromEntries(marked);
}
