/** The verb `update`: PUT of a whole object over the stored one. */
import type { ApiObject, Result } from '../contract/index.js';
import { clone } from '../objects/clone.js';
import { runCreate } from '../pipeline/create.js';
import type { Outcome } from '../pipeline/outcome.js';
import { dedupOwnerReferences } from '../pipeline/owner-references.js';
import { recordOwnership } from '../pipeline/ownership.js';
import { checkNameAgrees, placeInNamespace } from '../pipeline/system-fields.js';
import { isPinned, runUpdate } from '../pipeline/update.js';
import type { Write } from '../pipeline/write.js';
import { answerFailure, answerOutcome } from './answers.js';
import { readObjectBody } from './body.js';
import { decodeObject } from './decode-object.js';
import type { Answer } from './exchange.js';
import { readRepresentation } from './representation.js';
import type { VerbRequest } from './verb-request.js';
import { readWriteOptions } from './write-options.js';
import { toWrite } from './write-request.js';

/** A replace that names no revision starts again this often when others keep being faster. */
const lostRaces = 64;

/** Replaces the object that the path names. */
export async function update(verb: VerbRequest): Promise<Answer> {
  const representation = readRepresentation(verb, 'object');
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const body = await readObjectBody(verb);
  if (!body.ok) return answerFailure(verb, body.failure);
  const options = readWriteOptions(verb, 'UpdateOptions');
  if (!options.ok) return answerFailure(verb, options.failure);
  const sent = decodeObject(verb, body.value, options.value.fieldValidation);
  if (!sent.ok) return answerFailure(verb, sent.failure);
  const write = toWrite(verb, options.value);
  const misplaced = checkNameAgrees(sent.value, write) ?? placeInNamespace(sent.value, write);
  if (misplaced) return answerFailure(verb, misplaced);
  dedupOwnerReferences(sent.value, write.warn);
  const outcome = await replace(write, sent.value);
  return outcome.ok ? answerOutcome(verb, representation.value, outcome.value) : answerFailure(verb, outcome.failure);
}

function replace(write: Write, sent: ApiObject): Promise<Result<Outcome>> {
  const creates = write.resource.module.createOnUpdate && !write.subresource;
  return runUpdate(write, {
    next: (current) => {
      const object = clone(sent);
      recordOwnership(write, object, current);
      return { ok: true, value: object };
    },
    ...(creates ? { create: () => runCreate(write, clone(sent), { unasked: true }) } : {}),
    uid: sent.metadata.uid ?? '',
    pinned: isPinned(sent),
    attempts: lostRaces,
  });
}
