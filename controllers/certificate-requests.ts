/** The fields of certificate signing requests that their controllers use. */
import { type ApiObjectLike, defineResource } from '../client/index.js';

export interface CertificateSigningRequest extends ApiObjectLike {
  spec?: RequestSpec;
  status?: { conditions?: RequestCondition[]; certificate?: string };
}

export interface RequestSpec {
  readonly signerName?: string;
  /** PEM in base64. */
  readonly request?: string;
  readonly usages?: readonly string[];
  readonly expirationSeconds?: number;
  /** The user who made the request. */
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface RequestCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastUpdateTime?: string;
  readonly lastTransitionTime?: string;
}

/** Describes the resource. `group` is the group of requests as it is served. */
export const requestsIn = (group: string) =>
  defineResource<CertificateSigningRequest>()({
    group,
    version: 'v1',
    plural: 'certificatesigningrequests',
    kind: 'CertificateSigningRequest',
    scope: 'Cluster',
    subresources: ['approval', 'status'],
  } as const);

export const conditionsOf = ({ status }: CertificateSigningRequest): readonly RequestCondition[] =>
  status?.conditions ?? [];

/** Returns whether a condition is True. */
export const isTrue = (request: CertificateSigningRequest, wanted: 'Approved' | 'Denied' | 'Failed'): boolean =>
  conditionsOf(request).some(({ type, status }) => type === wanted && status === 'True');

export const isIssued = ({ status }: CertificateSigningRequest): boolean => (status?.certificate ?? '') !== '';
