/** ServiceAccount: each pod runs as an account of its namespace, and gets its token and its pull secrets. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  ApiObject,
  Failure,
  JsonObject,
  ResourceModule,
} from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { refuse } from '../refuse.js';
import { checkMirrorPod } from './mirror-pods.js';
import { checkEphemeralContainers, checkSecrets } from './secret-limits.js';
import { mountToken, wantsToken } from './token-volume.js';

/** The account that every namespace is to have. */
const defaultAccount = 'default';

/** A controller makes the default account once it has seen a new namespace; the plugin waits for it this often. */
const attempts = 10;

/** Pauses between them. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150));

export function defineServiceAccount(
  { rename, wellKnown }: Naming,
  wait: () => Promise<void> = pause,
): AdmissionPlugin {
  const mirror = rename('platform.io/config.mirror');
  const isMirror = ({ metadata: { annotations = {} } }: ApiObject): boolean => Object.hasOwn(annotations, mirror);
  const path = `/var/run/secrets/${rename('platform.io/serviceaccount')}`;
  const limit = rename('platform.io/enforce-mountable-secrets');
  return {
    name: 'ServiceAccount',
    handles: (resource, operation, subresource) =>
      isPods(resource) &&
      ((operation === 'CREATE' && subresource === '') ||
        (operation === 'UPDATE' && subresource === 'ephemeralcontainers')),
    admit(attributes, context) {
      const { object, operation } = attributes;
      const spec = objectAt(object, 'spec');
      if (!object || !spec || operation !== 'CREATE') return undefined;
      if (isMirror(object)) return checkMirrorPod(attributes, object);
      return withAccount(attributes, spec, context, wait, (account) => {
        Object.assign(spec, { serviceAccountName: account.metadata.name, serviceAccount: account.metadata.name });
        if (wantsToken(account, spec)) mountToken(spec, path, wellKnown.rootCertificates);
        givePullSecrets(account, spec);
        return undefined;
      });
    },
    validate(attributes, context) {
      const { object, operation } = attributes;
      const spec = objectAt(object, 'spec');
      if (!object || !spec) return undefined;
      if (operation === 'CREATE' && isMirror(object)) return checkMirrorPod(attributes, object);
      const check = operation === 'CREATE' ? checkSecrets : checkEphemeralContainers;
      return withAccount(attributes, spec, context, undefined, (account) => {
        const why = saysYes(account.metadata.annotations?.[limit]) ? check(account, spec) : undefined;
        return why === undefined ? undefined : refuse(attributes, why);
      });
    },
  };
}

const isPods = ({ group, names }: ResourceModule): boolean => group === '' && names.plural === 'pods';

const saysYes = (text: string | undefined): boolean => ['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text ?? '');

/** Acts on the account of a pod, which the plugin may have to wait for, or refuses the pod. */
function withAccount(
  attributes: AdmissionAttributes,
  spec: JsonObject,
  context: AdmissionContext,
  wait: (() => Promise<void>) | undefined,
  act: (account: ApiObject) => Failure | undefined,
): Failure | undefined | Promise<Failure | undefined> {
  const { namespace } = attributes;
  const name = stringAt(spec, 'serviceAccountName') || stringAt(spec, 'serviceAccount') || defaultAccount;
  const find = (): ApiObject | undefined => context.get('', 'serviceaccounts', namespace, name);
  const found = find();
  if (found) return act(found);
  const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
  if (!wait || name !== defaultAccount) return refuse(attributes, why);
  return waitFor(find, wait).then((late) => (late ? act(late) : refuse(attributes, why)));
}

async function waitFor(find: () => ApiObject | undefined, wait: () => Promise<void>): Promise<ApiObject | undefined> {
  for (let i = 1; i < attempts; i++) {
    await wait();
    const found = find();
    if (found) return found;
  }
  return undefined;
}

/** Only a pod without pull secrets of its own gets those of its account. */
function givePullSecrets(account: ApiObject, spec: JsonObject): void {
  if (objectsAt(spec, 'imagePullSecrets').length > 0) return;
  const secrets = objectsAt(account, 'imagePullSecrets');
  if (secrets.length > 0) spec.imagePullSecrets = secrets.map((secret) => clone(secret));
}
