/** CertificateSigningRequest: its requester, its spec, and the fields that each subresource may write. */

import { defineCertificateSigningRequestHandlers } from '../../generated/certificates.platform.io/v1/certificatesigningrequests/handlers.js';
import type { CertificateSigningRequestSpec } from '../../generated/types/certificates/v1/types.js';
import { parseCertificateRequest } from '../../runtime/codec/certificates/certificate-request.js';
import { certificatesProblem } from '../../runtime/codec/certificates/certificates.js';
import type {
  Draft,
  FieldError,
  HandlerContext,
  KindHandlers,
  UpdateCheck,
  UserInfo,
} from '../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, tooLong, Verbatim } from '../../runtime/objects/field-error.js';
import { byteLength, dns1123Label, dns1123Subdomain, type NameCheck } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { humanDuration } from '../../runtime/objects/scan/time.js';
import {
  conditionErrors,
  conditionsOf,
  conditionUpdateErrors,
  fillTimes,
  keepDecisions,
  type Request,
} from './request-conditions.js';

const updateChecks: readonly UpdateCheck[] = ['metadata', 'fields', 'field changes', 'metadata changes'];

export function defineCertificateSigningRequests({ signers }: Naming, release: Release = emulate()): KindHandlers {
  return defineCertificateSigningRequestHandlers({
    updateChecks,
    subresourceChecks: updateChecks,
    prepareForCreate(object, { user }) {
      object.spec = { ...object.spec, ...requester(user) };
      // A new request is undecided.
      object.status = {};
    },
    prepareForUpdate,
    errorOrder: ['spec.request', 'spec.usages', 'spec.signerName', 'spec.expirationSeconds'],
    validate: (object) => [
      ...requestErrors(object),
      ...usageErrors(object),
      ...signerErrors(object, signers.legacyUnknown),
      ...conditionErrors(object, release),
      ...certificateErrors(object),
    ],
    validateUpdate: (object, old, { subresource }) => [
      ...conditionUpdateErrors(object, old, subresource === 'approval'),
      ...certificateUpdateErrors(object, old, subresource === 'status'),
    ],
    columns: {
      SignerName: ({ spec }) => spec?.signerName || '<none>',
      Requestor: ({ spec }) => spec?.username ?? '',
      RequestedDuration: ({ spec }) => durationText(spec?.expirationSeconds),
      Condition: conditionText,
    },
  });
}

/** Returns the caller's identity, which replaces the one in the body. */
function requester({ name, uid, groups, extra }: UserInfo): Draft<CertificateSigningRequestSpec> {
  const extras = Object.entries(extra).map(([key, values]): [string, string[]] => [key, [...values]]);
  return {
    username: name === '' ? undefined : name,
    uid: uid === '' ? undefined : uid,
    groups: groups.length === 0 ? undefined : [...groups],
    extra: extras.length === 0 ? undefined : Object.fromEntries(extras),
  };
}

/** The spec never changes: `approval` decides, `status` signs, and other updates change only the metadata. */
function prepareForUpdate(object: Request, old: Request, { subresource, now }: HandlerContext): void {
  object.spec = old.spec;
  if (subresource === '') {
    object.status = old.status;
    return;
  }
  if (subresource === 'status') keepDecisions(object, old);
  else object.status = { ...object.status, certificate: old.status?.certificate };
  fillTimes(object, old, now);
}

function requestErrors({ spec }: Request): FieldError[] {
  const pem = Buffer.from(spec?.request ?? '', 'base64');
  const parsed = parseCertificateRequest(pem);
  const problem = parsed.ok ? parsed.request.verify() : parsed.problem;
  if (problem === undefined) return [];
  const absent = typeof spec?.request !== 'string';
  return [invalidValue('spec.request', absent ? new Verbatim('[]byte(nil)') : bytesText(pem), problem)];
}

/** The most bytes that a message shows; usual requests are far shorter. */
const maxBytesShown = 4096;

/** Prints bytes as messages do: `[]byte{0x6e, 0x6f}`. */
function bytesText(bytes: Uint8Array): Verbatim {
  const shown = Array.from(bytes.subarray(0, maxBytesShown), (byte) => `0x${byte.toString(16)}`);
  return new Verbatim(`[]byte{${shown.join(', ')}${bytes.length > maxBytesShown ? ', …' : ''}}`);
}

function usageErrors({ spec }: Request): FieldError[] {
  const usages = spec?.usages ?? [];
  const seen = new Set<string>();
  return usages.flatMap((usage, i) => {
    const again = seen.has(usage);
    seen.add(usage);
    return again ? [duplicate(`spec.usages[${i}]`, usage)] : [];
  });
}

function signerErrors({ spec }: Request, legacy: string): FieldError[] {
  const name = spec?.signerName ?? '';
  if (name === legacy) {
    return [invalidValue('spec.signerName', name, 'the legacy signerName is not allowed via this API version')];
  }
  return name === '' ? [] : signerNameErrors('spec.signerName', name);
}

const certificateOf = ({ status }: Request): string => status?.certificate ?? '';

function certificateErrors(object: Request): FieldError[] {
  const problem = certificatesProblem(Buffer.from(certificateOf(object), 'base64'));
  return problem === undefined ? [] : [invalidValue('status.certificate', '<certificate data>', problem)];
}

function certificateUpdateErrors(object: Request, old: Request, maySign: boolean): FieldError[] {
  const before = certificateOf(old);
  if (certificateOf(object) === before) return [];
  if (!maySign) return [forbidden('status.certificate', 'updates may not set certificate content')];
  return before === '' ? [] : [forbidden('status.certificate', 'updates may not modify existing certificate content')];
}

function durationText(seconds: number | undefined): string {
  return seconds === undefined ? '<none>' : humanDuration(seconds * 1000);
}

/** Prints `Pending`, `Approved,Issued` or `Denied,Failed`, for example. */
function conditionText(object: Request): string {
  const types = new Set(conditionsOf(object).map(({ type }) => type));
  const decision = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  const failed = types.has('Failed') ? ',Failed' : '';
  return `${decision}${failed}${certificateOf(object) === '' ? '' : ',Issued'}`;
}

// Names of signers: a domain of at least two parts, a slash, and a path of subdomains, as in `example.com/signer`.

const maxDomain = 253;
/** A path may be a namespace, a dot and an object name. */
const maxPath = 253 + 63 + 1;
const maxSignerName = maxDomain + 1 + maxPath;

/** Checks a signer's name that is not empty. */
export function signerNameErrors(field: string, name: string): FieldError[] {
  const [domain = '', path = '', ...more] = name.split('/', 3);
  if (!name.includes('/') || more.length > 0) {
    const rule = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    return [invalidValue(field, name, rule)];
  }
  const labels = domain.split('.');
  return [
    ...(byteLength(domain) > maxDomain ? [tooLong(field, maxDomain)] : []),
    ...firstBadLabel(field, domain, labels, dns1123Label),
    ...(labels.length < 2
      ? [invalidValue(field, domain, 'should be a domain with at least two segments separated by dots')]
      : []),
    ...firstBadLabel(field, path, path.split('.'), dns1123Subdomain),
    ...(byteLength(name) > maxSignerName ? [tooLong(field, maxSignerName)] : []),
  ];
}

/** Returns the errors of the first bad label; the other labels would repeat them. */
function firstBadLabel(field: string, part: string, labels: readonly string[], check: NameCheck): FieldError[] {
  for (const label of labels) {
    const problems = check(label);
    if (problems.length === 0) continue;
    return problems.map((problem) => invalidValue(field, part, `validating label ${quote(label)}: ${problem}`));
  }
  return [];
}
