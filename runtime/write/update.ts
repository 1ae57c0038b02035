/** The verb `update`: PUT of a whole object over the stored one. */
import type { ApiObject, Result } from '../contract/index.js';
import { finish, inTurns, type Steps } from '../objects/turns.js';
import type { ApiResponse } from '../request/api-request.js';
import { type DecodedBody, readObjectBody } from '../request/body.js';
import type { Outcome } from '../request/outcome.js';
import { readRepresentation } from '../request/representation/negotiate.js';
import { answerFailure, answerOutcome } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import { decodeObject } from './decode-object.js';
import { keepAnnotations } from './kept-annotations.js';
import { fresh } from './per-attempt.js';
import { runCreate } from './run-create.js';
import { runUpdate } from './run-update.js';
import { dropRepeatedOwners } from './stages/owner-references.js';
import { ownershipInSteps } from './stages/ownership/ownership.js';
import { isPinned } from './stages/revision.js';
import { checkNameAgrees, placeInNamespace } from './stages/system-fields.js';
import type { Write } from './write.js';
import { readWriteOptions } from './write-options.js';
import { toWrite } from './write-request.js';

/** A replace that names no revision starts again this often when others keep being faster. */
const lostRaces = 64;

/** Replaces the object that the path names. */
export async function update(verb: VerbRequest): Promise<ApiResponse> {
  const representation = readRepresentation(verb, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const body = await readObjectBody(verb);
  if (!body.ok) return answerFailure(verb, body.failure);
  const options = readWriteOptions(verb, 'UpdateOptions');
  if (!options.ok) return answerFailure(verb, options.failure);
  const sent = await inTurns(decodeObject(verb, body.value, options.value.fieldValidation));
  if (!sent.ok) return answerFailure(verb, sent.failure);
  const write = toWrite(verb, options.value);
  const misplaced = checkNameAgrees({ object: sent.value, write }) ?? placeInNamespace({ object: sent.value, write });
  if (misplaced) return answerFailure(verb, misplaced);
  dropRepeatedOwners({ object: sent.value, write });
  const outcome = await replace(write, sent.value, () => sentAgain(verb, write, body.value));
  return outcome.ok ? answerOutcome(verb, representation.value, outcome.value) : answerFailure(verb, outcome.failure);
}

/** The object of a body that has been read before, and has been changed since. */
function sentAgain(verb: VerbRequest, write: Write, body: DecodedBody): ApiObject {
  const sent = finish(decodeObject(verb, { ...body, value: body.again() }, 'Ignore'));
  if (!sent.ok) throw new Error(`a body reads differently the second time: ${sent.failure.message}`);
  placeInNamespace({ object: sent.value, write });
  dropRepeatedOwners({ object: sent.value, write });
  return sent.value;
}

function replace(write: Write, sent: ApiObject, again: () => ApiObject): Promise<Result<Outcome>> {
  const creates = write.resource.module.createOnUpdate && !write.subresource;
  const { uid = '' } = sent.metadata;
  const pinned = isPinned(sent);
  const next = fresh(sent, again);
  return runUpdate(write, {
    next: (current) => replacement(write, next(), current),
    ...(creates ? { create: () => runCreate(write, next(), { unasked: true }) } : {}),
    uid,
    pinned,
    attempts: lostRaces,
  });
}

/** The object that takes the place of the current one. */
function* replacement(write: Write, object: ApiObject, current: ApiObject): Steps<Result<ApiObject>> {
  yield;
  keepAnnotations(write.resource, object, current);
  yield* ownershipInSteps(write, object, current);
  return { ok: true, value: object };
}
