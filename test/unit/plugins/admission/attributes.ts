/** Writes and contexts for tests of admission plugins. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  AuthorizationAttributes,
} from '../../../../runtime/contract/index.js';
import { moduleOf } from '../../../support/modules.js';

export const namespaces = moduleOf('', 'namespaces', 'Namespace', { scope: 'Cluster' });
export const configMaps = moduleOf('', 'configmaps', 'ConfigMap');
export const requests = moduleOf(
  'certificates.platform.io',
  'certificatesigningrequests',
  'CertificateSigningRequest',
  {
    scope: 'Cluster',
  },
);

/** A write by someone, of a ConfigMap unless it says otherwise. */
export const write = (more: Partial<AdmissionAttributes> = {}): AdmissionAttributes => ({
  operation: 'CREATE',
  resource: configMaps,
  subresource: '',
  namespace: 'team',
  name: 'a',
  options: {},
  user: { name: 'someone', uid: '', groups: [], extra: {} },
  dryRun: false,
  ...more,
});

/** An object with these parts. */
export const object = (more: Partial<ApiObject> = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Any',
  metadata: { name: 'a' },
  ...more,
});

/** A context in which namespaces have phases, and an authorizer that says what it is told. */
export function contextWith(
  phases: Readonly<Record<string, string>>,
  authorize: (attributes: AuthorizationAttributes) => boolean = () => true,
): AdmissionContext {
  return {
    get: (group, resource, namespace, name) => {
      const isNamespace = group === '' && resource === 'namespaces' && namespace === '' && Object.hasOwn(phases, name);
      return isNamespace ? object({ status: { phase: phases[name] } }) : undefined;
    },
    rely: () => {},
    authorize,
    decide: (asked) => ({ decision: 'path' in asked || authorize(asked) ? 'allow' : 'no opinion' }),
    convert: () => undefined,
    warn: () => {},
    annotate: () => {},
  };
}
