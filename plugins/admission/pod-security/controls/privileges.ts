/** Controls of the privileges of containers: none has all of them, and in the restricted level none can gain any. */
import { type Check, type Control, unlessOnWindows } from '../control.js';
import { containersText } from '../words.js';

const checkPrivileged: Check = ({ containers }) => {
  const privileged = containers.filter(({ securityContext }) => securityContext?.privileged === true);
  if (privileged.length === 0) return undefined;
  const detail = `${containersText(privileged)} must not set securityContext.privileged=true`;
  return { reason: 'privileged', detail };
};

/** As by files that run as their owner. */
const checkEscalation: Check = ({ containers }) => {
  const able = containers.filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (able.length === 0) return undefined;
  const detail = `${containersText(able)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
};

export const privilegeControls: readonly Control[] = [
  { id: 'privileged', level: 'baseline', versions: [{ since: 0, check: checkPrivileged }] },
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    versions: [
      // The release that brought the field.
      { since: 8, check: checkEscalation },
      { since: 25, check: unlessOnWindows(checkEscalation) },
    ],
  },
];
