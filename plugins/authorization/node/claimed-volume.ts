/** Reads the claim of a persistent volume, and the secrets that the nodes which mount it need. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { ClaimedVolume } from './graph.js';

type Secret = ClaimedVolume['secrets'][number];

/** `undefined` for a volume that belongs to no claim. */
export function claimedVolume(volume: JsonObject): ClaimedVolume | undefined {
  const spec = objectAt(volume, 'spec');
  const reference = objectAt(spec, 'claimRef');
  if (!spec || !reference) return undefined;
  const claim = placeOf(reference);
  return { claim, secrets: secretsOf(spec, claim.namespace).filter(({ name }) => name !== '') };
}

/** Sources whose secret is in the namespace of the claim where the reference names none. */
const besideClaim = ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi'];
/** Sources whose reference has to name a namespace. */
const elsewhere = ['cinder', 'storageos'];
/** Secrets of CSI that nodes use; those of its controllers are none of theirs. */
const csiSecrets = ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'];

function secretsOf(spec: JsonObject, claimNamespace: string): readonly Secret[] {
  const file = objectAt(spec, 'azureFile');
  const ofFile = file && {
    namespace: stringAt(file, 'secretNamespace') || claimNamespace,
    name: stringAt(file, 'secretName'),
  };
  return [
    ...(ofFile ? [ofFile] : []),
    ...besideClaim.flatMap((source) => named(objectAt(spec, source), 'secretRef', claimNamespace)),
    ...elsewhere.flatMap((source) => named(objectAt(spec, source), 'secretRef')),
    ...csiSecrets.flatMap((field) => named(objectAt(spec, 'csi'), field)),
  ];
}

function named(source: JsonObject | undefined, field: string, namespace = ''): readonly Secret[] {
  const reference = objectAt(source, field);
  if (!reference) return [];
  const secret = placeOf(reference);
  return [{ ...secret, namespace: secret.namespace || namespace }];
}

const placeOf = (reference: JsonObject): Secret => ({
  namespace: stringAt(reference, 'namespace'),
  name: stringAt(reference, 'name'),
});
