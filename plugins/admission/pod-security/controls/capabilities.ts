/** Controls of the capabilities of containers: those that runtimes give anyway, and in the restricted level none. */
import type { JsonValue } from '../../../../runtime/contract/index.js';
import { isStringArray, objectAt } from '../../../../runtime/objects/guards.js';
import { type Check, type Control, type JudgedContainer, unlessOnWindows } from '../control.js';
import { containersText, distinct, quoted } from '../words.js';

/** Those that a container has without asking, but for NET_RAW. */
const usual = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]);

const texts = (value: JsonValue | undefined): readonly string[] => (isStringArray(value) ? value : []);

const capabilitiesOf = (container: JudgedContainer, change: 'add' | 'drop'): readonly string[] =>
  texts(objectAt(container.securityContext, 'capabilities')?.[change]);

/** The problem with the capabilities that containers add; `undefined` where all of them are allowed. */
function addedText(
  containers: readonly JudgedContainer[],
  isAllowed: (capability: string) => boolean,
): string | undefined {
  const forbiddenOf = (container: JudgedContainer): readonly string[] =>
    capabilitiesOf(container, 'add').filter((capability) => !isAllowed(capability));
  const adding = containers.filter((container) => forbiddenOf(container).length > 0);
  if (adding.length === 0) return undefined;
  const forbidden = quoted(distinct(adding.flatMap(forbiddenOf)));
  return `${containersText(adding)} must not include ${forbidden} in securityContext.capabilities.add`;
}

const checkUsual: Check = ({ containers }) => {
  const detail = addedText(containers, (capability) => usual.has(capability));
  return detail === undefined ? undefined : { reason: 'non-default capabilities', detail };
};

/** All are dropped, and only the one for low ports comes back. */
const checkDropped: Check = ({ containers }) => {
  const keeping = containers.filter((container) => !capabilitiesOf(container, 'drop').includes('ALL'));
  const added = addedText(containers, (capability) => capability === 'NET_BIND_SERVICE');
  if (keeping.length === 0 && added === undefined) return undefined;
  const kept = `${containersText(keeping)} must set securityContext.capabilities.drop=["ALL"]`;
  const details = [...(keeping.length > 0 ? [kept] : []), ...(added === undefined ? [] : [added])];
  return { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

export const capabilityControls: readonly Control[] = [
  { id: 'capabilities_baseline', level: 'baseline', versions: [{ since: 0, check: checkUsual }] },
  {
    id: 'capabilities_restricted',
    level: 'restricted',
    replaces: 'capabilities_baseline',
    versions: [
      { since: 22, check: checkDropped },
      { since: 25, check: unlessOnWindows(checkDropped) },
    ],
  },
];
