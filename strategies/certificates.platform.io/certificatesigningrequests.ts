/** CertificateSigningRequest: who asks, what is asked, and what each of its paths may write. */

import { parseCertificateRequest } from '../../runtime/codec/certificates/certificate-request.js';
import { certificatesProblem } from '../../runtime/codec/certificates/certificates.js';
import type {
  ApiObject,
  FieldError,
  JsonObject,
  Strategy,
  StrategyContext,
  UserInfo,
} from '../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, Verbatim } from '../../runtime/objects/field-error.js';
import { isStringArray, objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { humanDuration } from '../../runtime/objects/time/human-duration.js';
import {
  conditionErrors,
  conditionsOf,
  conditionUpdateErrors,
  fillTimes,
  keepDecisions,
} from './request-conditions.js';
import { signerNameErrors } from './signer-name.js';

export function defineCertificateSigningRequestStrategy({ signers }: Naming): Strategy {
  return {
    kind: 'certificates.platform.io/CertificateSigningRequest',
    prepareForCreate(object, { user }) {
      object.spec = { ...objectAt(object, 'spec'), ...requester(user) };
      // Nobody makes requests that are approved from the start.
      object.status = {};
    },
    prepareForUpdate,
    validate: (object) => [
      ...requestErrors(object),
      ...usageErrors(object),
      ...signerErrors(object, signers.legacyUnknown),
      ...conditionErrors(object),
      ...certificateErrors(object),
    ],
    validateUpdate: (object, old, { subresource }) => [
      ...conditionUpdateErrors(object, old, subresource === 'approval'),
      ...certificateUpdateErrors(object, old, subresource === 'status'),
    ],
    cell: requestCell,
  };
}

/** The caller's identity, in place of whatever the body says. */
function requester({ name, uid, groups, extra }: UserInfo): JsonObject {
  const extras = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  return {
    username: name === '' ? undefined : name,
    uid: uid === '' ? undefined : uid,
    groups: groups.length === 0 ? undefined : [...groups],
    extra: extras.length === 0 ? undefined : Object.fromEntries(extras),
  };
}

/** The spec never changes; `approval` decides, `status` signs, and the object itself only has its metadata. */
function prepareForUpdate(object: ApiObject, old: ApiObject, { subresource, now }: StrategyContext): void {
  object.spec = old.spec;
  if (subresource === '') {
    object.status = old.status;
    return;
  }
  if (subresource === 'status') keepDecisions(object, old);
  else object.status = { ...objectAt(object, 'status'), certificate: objectAt(old, 'status')?.certificate };
  fillTimes(object, old, now);
}

const specText = (object: ApiObject, field: string): string => stringAt(objectAt(object, 'spec'), field);

function requestErrors(object: ApiObject): FieldError[] {
  const pem = Buffer.from(specText(object, 'request'), 'base64');
  const parsed = parseCertificateRequest(pem);
  const problem = parsed.ok ? parsed.request.verify() : parsed.problem;
  if (problem === undefined) return [];
  const absent = typeof objectAt(object, 'spec')?.request !== 'string';
  return [invalidValue('spec.request', absent ? new Verbatim('[]byte(nil)') : bytesText(pem), problem)];
}

/** Bytes that a message shows at most; a request that is meant well is far shorter. */
const maxBytesShown = 4096;

/** Bytes as messages print them: `[]byte{0x6e, 0x6f}`. */
function bytesText(bytes: Uint8Array): Verbatim {
  const shown = Array.from(bytes.subarray(0, maxBytesShown), (byte) => `0x${byte.toString(16)}`);
  return new Verbatim(`[]byte{${shown.join(', ')}${bytes.length > maxBytesShown ? ', …' : ''}}`);
}

function usageErrors(object: ApiObject): FieldError[] {
  const usages = objectAt(object, 'spec')?.usages;
  const seen = new Set<string>();
  return (isStringArray(usages) ? usages : []).flatMap((usage, i) => {
    const again = seen.has(usage);
    seen.add(usage);
    return again ? [duplicate(`spec.usages[${i}]`, usage)] : [];
  });
}

function signerErrors(object: ApiObject, legacy: string): FieldError[] {
  const name = specText(object, 'signerName');
  if (name === legacy) {
    return [invalidValue('spec.signerName', name, 'the legacy signerName is not allowed via this API version')];
  }
  return name === '' ? [] : signerNameErrors('spec.signerName', name);
}

const certificateOf = (object: ApiObject): string => stringAt(objectAt(object, 'status'), 'certificate');

function certificateErrors(object: ApiObject): FieldError[] {
  const problem = certificatesProblem(Buffer.from(certificateOf(object), 'base64'));
  return problem === undefined ? [] : [invalidValue('status.certificate', '<certificate data>', problem)];
}

function certificateUpdateErrors(object: ApiObject, old: ApiObject, maySign: boolean): FieldError[] {
  const before = certificateOf(old);
  if (certificateOf(object) === before) return [];
  if (!maySign) return [forbidden('status.certificate', 'updates may not set certificate content')];
  return before === '' ? [] : [forbidden('status.certificate', 'updates may not modify existing certificate content')];
}

const requestCell: Strategy['cell'] = (object, column) => {
  if (column === 'SignerName') return specText(object, 'signerName') || '<none>';
  if (column === 'Requestor') return specText(object, 'username');
  if (column === 'RequestedDuration') return durationText(object);
  return column === 'Condition' ? conditionText(object) : undefined;
};

function durationText(object: ApiObject): string {
  const seconds = objectAt(object, 'spec')?.expirationSeconds;
  return typeof seconds === 'number' ? humanDuration(seconds * 1000) : '<none>';
}

/** As in `Pending`, `Approved,Issued` and `Denied,Failed`. */
function conditionText(object: ApiObject): string {
  const types = new Set(conditionsOf(object).map((condition) => stringAt(condition, 'type')));
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  const failed = types.has('Failed') ? ',Failed' : '';
  return `${decision}${failed}${certificateOf(object) === '' ? '' : ',Issued'}`;
}
