/** Decodes the whole object that a create or replace carries. */
import type { ApiObject, Result } from '../contract/index.js';
import { isObject } from '../objects/guards.js';
import type { Steps } from '../objects/turns.js';
import type { DecodedBody } from '../request/body.js';
import type { VerbRequest } from '../request/verb-request.js';
import { checkKind, notOfResource, toObject } from './decode/decode.js';
import { listSizeFailure } from './decode/list-sizes.js';
import { takeAsWritten } from './decode/written-numbers.js';
import { reportFields, reportOtherVersion } from './field-validation.js';
import type { FieldValidation } from './write-options.js';

/** The object of a body, with unknown and duplicate fields reported at the level asked for. */
export function* decodeObject(verb: VerbRequest, body: DecodedBody, level: FieldValidation): Steps<Result<ApiObject>> {
  const { resource, services } = verb;
  const tooLarge = listSizeFailure(resource, body.value, body.bytes.length);
  if (tooLarge) return { ok: false, failure: tooLarge };
  const value = checkKind(resource, body.value, body.bytes, services.knowsKind);
  if (!value.ok) {
    const refused = isObject(body.value)
      ? reportOtherVersion(
          verb,
          level,
          body.value,
          (unknown) => body.remarks(unknown),
          (unknown) => body.strictRemarks(unknown),
        )
      : undefined;
    return refused ? { ok: false, failure: refused } : value;
  }
  const asWritten = takeAsWritten(resource, value.value, body.decimals);
  const decoded = toObject(resource, value.value);
  if (!decoded.ok) return { ok: false, failure: notOfResource(resource, asWritten(decoded.problem)) };
  const { unknownFields } = decoded.value;
  yield;
  if (level === 'Ignore') return { ok: true, value: recorded(verb, decoded.value.object) };
  const refused = reportFields(verb, level, body.remarks(unknownFields), () => body.strictRemarks(unknownFields));
  yield;
  return refused ? { ok: false, failure: refused } : { ok: true, value: recorded(verb, decoded.value.object) };
}

/** The object, once those who record requests have seen it: all that follows changes it. */
function recorded({ services: { recorder }, request, resource }: VerbRequest, object: ApiObject): ApiObject {
  recorder?.object(request, object, resource.module.decoding === 'typed');
  return object;
}
