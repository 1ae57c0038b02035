/** Controls of what pods share with their node: namespaces, ports, processes. */
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { isInteger, objectAt, objectsAt } from '../../../../runtime/objects/guards.js';
import type { Check, Control } from '../control.js';
import { containersText, counted, distinct, settersText } from '../words.js';

/** The namespaces of the node for networks, processes and shared memory. */
const checkNamespaces: Check = ({ spec }) => {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
};

const hostPorts = (container: JsonObject): readonly string[] =>
  objectsAt(container, 'ports').flatMap(({ hostPort }) =>
    isInteger(hostPort) && Number(hostPort) !== 0 ? [String(hostPort)] : [],
  );

const checkPorts: Check = ({ containers }) => {
  const using = containers.filter(({ spec }) => hostPorts(spec).length > 0);
  if (using.length === 0) return undefined;
  const ports = distinct(using.flatMap(({ spec }) => hostPorts(spec)));
  const verb = counted('uses', 'use', using.length);
  const noun = counted('hostPort', 'hostPorts', ports.length);
  return { reason: 'hostPort', detail: `${containersText(using)} ${verb} ${noun} ${ports.join(', ')}` };
};

const isHostProcess = (securityContext: JsonObject | undefined): boolean =>
  objectAt(securityContext, 'windowsOptions')?.hostProcess === true;

/** Processes of the node itself, which Windows has containers for. */
const checkProcesses: Check = ({ securityContext, containers }) => {
  const setting = containers.filter((container) => isHostProcess(container.securityContext));
  const setters = settersText(isHostProcess(securityContext), setting);
  if (setters === '') return undefined;
  return { reason: 'hostProcess', detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
};

export const hostControls: readonly Control[] = [
  { id: 'hostNamespaces', level: 'baseline', versions: [{ since: 0, check: checkNamespaces }] },
  { id: 'hostPorts', level: 'baseline', versions: [{ since: 0, check: checkPorts }] },
  { id: 'windowsHostProcess', level: 'baseline', versions: [{ since: 0, check: checkProcesses }] },
];
