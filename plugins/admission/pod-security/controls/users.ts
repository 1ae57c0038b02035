/** Controls of the users of containers, which are not root in the restricted level. */
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { isInteger } from '../../../../runtime/objects/guards.js';
import type { Check, Control } from '../control.js';
import { containersText, settersText } from '../words.js';

/** Containers say it themselves, or the pod says it for those that do not. */
const checkNonRoot: Check = ({ securityContext, containers }) => {
  const reason = 'runAsNonRoot != true';
  const ofPod = securityContext?.runAsNonRoot;
  const refusing = containers.filter((container) => container.securityContext?.runAsNonRoot === false);
  const setters = settersText(ofPod === false, refusing);
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  const silent = containers.filter((container) => typeof container.securityContext?.runAsNonRoot !== 'boolean');
  if (ofPod === true || silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
};

const isRoot = (securityContext: JsonObject | undefined): boolean => {
  const user = securityContext?.runAsUser;
  return isInteger(user) && Number(user) === 0;
};

const checkUser: Check = ({ securityContext, containers }) => {
  const asRoot = containers.filter((container) => isRoot(container.securityContext));
  const setters = settersText(isRoot(securityContext), asRoot);
  return setters === '' ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` };
};

export const userControls: readonly Control[] = [
  { id: 'runAsNonRoot', level: 'restricted', versions: [{ since: 0, check: checkNonRoot }] },
  { id: 'runAsUser', level: 'restricted', versions: [{ since: 23, check: checkUser }] },
];
