/** The stages of a request for what is never stored, top to bottom. */
import type {
  ApiObject,
  Failure,
  FieldError,
  ObjectAccess,
  Result,
  VirtualContext,
  VirtualHandler,
} from '../contract/index.js';
import { invalid, verbNotSupported } from '../objects/status.js';
import { listObjects, readObject, updateObject, withResource } from '../request/object-access.js';
import type { ServedResource } from '../resource/served-resource.js';
import { runDelete } from './run.js';
import { admit, validateAdmission } from './stages/admission/admission.js';
import { recordOwnership } from './stages/ownership/ownership.js';
import { placeInNamespace } from './stages/system-fields.js';
import { checkRules } from './stages/validation/rule-validation.js';
import type { Write } from './write.js';

/**
 * Asks a handler to do what an object says, which has been decoded, pruned and defaulted, and is changed in place.
 * `kind` is the object's own; the write is about the resource whose path was asked.
 */
export async function runVirtual(
  write: Write,
  kind: ServedResource,
  object: ApiObject,
  handler: VirtualHandler | undefined,
  context: VirtualContext,
): Promise<Result<ApiObject | 'done'>> {
  const create = handler?.create;
  if (!create) return { ok: false, failure: unanswered(write, 'create') };
  const misplaced = placeInNamespace({ object, write });
  if (misplaced) return { ok: false, failure: misplaced };
  recordOwnership(write, object, undefined, kind);
  const refused =
    (await admit(write, 'CREATE', { object })) ??
    (await handler.check?.(object, context)) ??
    brokenRules(kind, object) ??
    (await validateAdmission(write, 'CREATE', { object }));
  if (refused) return { ok: false, failure: refused };
  return create(object, context);
}

/** Asks admission whether a connection may be opened. Plugins may change its options in place. */
export async function admitConnection(write: Write, options: ApiObject): Promise<Failure | undefined> {
  const objects = { object: options };
  return (await admit(write, 'CONNECT', objects)) ?? validateAdmission(write, 'CONNECT', objects);
}

/** The refusal of a verb that no handler answers. */
export function unanswered({ resource: { module } }: Write, verb: string): Failure {
  return verbNotSupported(verb, module.group, module.names.plural);
}

/** Returns the failure of an object that breaks a rule of its kind. */
function brokenRules(kind: ServedResource, object: ApiObject): Failure | undefined {
  const errors: FieldError[] = [];
  kind.functions.validate(object, errors);
  checkRules(kind, object, undefined, errors);
  if (errors.length === 0) return undefined;
  return invalid(kind.module.group, kind.module.names.kind, object.metadata.name ?? '', errors);
}

/** The door of one request; what it writes is written in the request's name. */
export function openDoor(write: Write): ObjectAccess {
  const { services } = write;
  return {
    get: (place) => readObject(services, place),
    list: (place) => [...listObjects(services, place)],
    update: (place, change) => updateObject(services, place, change, write.dryRun),
    delete: (place, { propagation, gracePeriodSeconds, ...preconditions }) =>
      withResource(services, place, async (resource) => {
        const { namespace, name } = place;
        const plan = {
          preconditions,
          ...(propagation === undefined ? {} : { propagation }),
          ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
        };
        const outcome = await runDelete({ ...write, resource, namespace, name, subresource: undefined }, plan, true);
        return outcome.ok ? { ok: true, value: outcome.value.object } : outcome;
      }),
  };
}
