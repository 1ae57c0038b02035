/** PodCertificateRequest: its pod, the proof of its key, and the one decision of its signer. */
import { definePodCertificateRequestHandlers } from '../../generated/certificates.platform.io/v1beta1/podcertificaterequests/handlers.js';
import type { PodCertificateRequest } from '../../generated/certificates.platform.io/v1beta1/podcertificaterequests/types.js';
import type { PodCertificateRequestSpec } from '../../generated/types/certificates/v1beta1/types.js';
import type { Draft, DraftObject, HandlerContext, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidUnshown, invalidValue, notSupported, tooLong } from '../../runtime/objects/field-error.js';
import { byteLength, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { conditionErrors } from '../shared/conditions.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { signerNameErrors } from './certificatesigningrequests.js';
import { issuedErrors } from './issued-certificates.js';
import { keyErrors } from './pod-keys.js';

type Request = DraftObject<PodCertificateRequest>;
type Status = Request['status'];

export function definePodCertificateRequests({ signers }: Naming): KindHandlers {
  const [domain = ''] = signers.apiserverClient.split('/');
  const isOfPlatform = (signer: string): boolean => `.${signer.split('/')[0]}`.endsWith(`.${domain}`);
  return definePodCertificateRequestHandlers({
    prepareForCreate(request) {
      request.status = {};
    },
    prepareForUpdate: (request, old, context) => {
      if (context.subresource === 'status') fillTimes(request, old, context);
    },
    validateCreate: ({ spec }) => firstErrors(checkSpec(spec ?? {}, isOfPlatform)),
    validateUpdate: (request, old, context) =>
      context.subresource === 'status' ? firstErrors(checkStatus(request, old, context)) : [],
    columns: {
      PodName: ({ spec }) => spec?.podName ?? '',
      ServiceAccountName: ({ spec }) => spec?.serviceAccountName ?? '',
      NodeName: ({ spec }) => spec?.nodeName ?? '',
      SignerName: ({ spec }) => spec?.signerName ?? '',
      State: ({ status }) => decisionOf(status) ?? 'Pending',
    },
  });
}

const hour = 3600;
const day = 24 * hour;
const maxUid = 128;

function* checkSpec(spec: Draft<PodCertificateRequestSpec>, isOfPlatform: (signer: string) => boolean): FieldErrors {
  const { signerName = '', maxExpirationSeconds = day } = spec;
  yield* signerNameErrors('spec.signerName', signerName);
  for (const owner of ['pod', 'serviceAccount', 'node'] as const) {
    const uid = spec[`${owner}UID`] ?? '';
    yield* checkText(`spec.${owner}Name`, spec[`${owner}Name`] ?? '', dns1123Subdomain);
    if (uid === '') yield invalidValue(`spec.${owner}UID`, uid, 'must not be empty');
    if (byteLength(uid) > maxUid) yield tooLong(`spec.${owner}UID`, maxUid);
  }
  const longest = isOfPlatform(signerName) ? day : 91 * day;
  if (maxExpirationSeconds < hour || maxExpirationSeconds > longest) {
    yield invalidValue('spec.maxExpirationSeconds', maxExpirationSeconds, `must be in the range [${hour}, ${longest}]`);
  }
  yield* keyErrors(spec);
}

const decisions = ['Issued', 'Denied', 'Failed'];

const decisionOf = (status: Status): string | undefined =>
  status?.conditions?.find(({ type = '', status }) => decisions.includes(type) && status === 'True')?.type;

/** A condition without a time gets the time of the same condition before the update, or the current time. */
function fillTimes({ status }: Request, old: Request, { now }: HandlerContext): void {
  for (const condition of status?.conditions ?? []) {
    if (condition.lastTransitionTime) continue;
    const same = old.status?.conditions?.find(
      ({ type, status }) => type === condition.type && status === condition.status,
    );
    condition.lastTransitionTime = same?.lastTransitionTime ?? now;
  }
}

/** The status is written once, with the decision. */
function* checkStatus({ spec, status = {} }: Request, old: Request, context: HandlerContext): FieldErrors {
  const { conditions = [] } = status;
  const wrong = [...decisionErrors(conditions), ...conditionErrors(conditions, 'status.conditions')];
  if (wrong.length > 0) {
    yield* wrong;
    return;
  }
  const isSame = equal({ ...status }, { ...old.status });
  const decision = decisionOf(status);
  if (decisionOf(old.status) !== undefined) {
    if (!isSame) yield invalidUnshown('status', 'immutable after PodCertificateRequest is issued, denied, or failed');
  } else if (decision === 'Issued') {
    yield* issuedErrors(spec ?? {}, status, context.now);
  } else if (decision !== undefined) {
    const rule = 'non-condition status fields must be empty when denying or failing the PodCertificateRequest';
    if (!equal({ ...status }, { conditions })) yield invalidUnshown('status', rule);
  } else if (!isSame) {
    yield invalidUnshown('status', 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"');
  }
}

function* decisionErrors(conditions: readonly { type?: string; status?: string }[]): FieldErrors {
  const rule = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
  let isDecided = false;
  for (const [i, { type = '', status = '' }] of conditions.entries()) {
    const path = `status.conditions[${i}]`;
    if (!decisions.includes(type)) {
      yield notSupported(`${path}.type`, type, decisions);
      continue;
    }
    if (isDecided) yield invalidValue(`${path}.type`, type, rule);
    if (status !== 'True') yield notSupported(`${path}.status`, status, ['True']);
    isDecided = true;
  }
}
