/** Requests that the agents of nodes answer: logs, exec, attach and port-forward. This server reaches none of them. */
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type { Container } from '../../generated/types/core/v1/types.js';
import type {
  Draft,
  DraftObject,
  Failure,
  Result,
  TextAnswer,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { quote } from '../../runtime/objects/printing.js';
import { badRequest, notFound, serviceUnavailable } from '../../runtime/objects/status.js';

export function defineConnections(): readonly VirtualHandler[] {
  const commands = ['exec', 'attach'].map((subresource) => onPod(subresource, toContainer));
  return [...commands, onPod('portforward', toHost), onPod('log', readLog)];
}

type Connect = (pod: DraftObject<Pod>, context: VirtualContext) => Result<TextAnswer>;

function onPod(subresource: string, connect: Connect): VirtualHandler {
  return {
    group: '',
    resource: 'pods',
    subresource,
    connect(context) {
      const { namespace, name } = context;
      const pod = context.objects.get({ group: '', resource: 'pods', namespace, name });
      return pod ? connect(pod, context) : refuse(notFound('', 'pods', name));
    },
  };
}

const refuse = (failure: Failure): Result<TextAnswer> => ({ ok: false, failure });

const toHost: Connect = ({ metadata, spec }) => {
  if (!spec?.nodeName) return refuse(badRequest(`pod ${metadata.name} does not have a host assigned`));
  return refuse(unreachable(spec.nodeName));
};

const unreachable = (node: string): Failure =>
  serviceUnavailable(`node ${quote(node)} cannot be reached: this server has no node agents`);

const toContainer: Connect = (pod, context) => {
  const wrong = containerProblem(pod, context, false);
  return wrong === undefined ? toHost(pod, context) : refuse(badRequest(wrong));
};

/** A pod without a node has no logs yet. */
const readLog: Connect = (pod, context) => {
  const wrong = containerProblem(pod, context, true);
  if (wrong !== undefined) return refuse(badRequest(wrong));
  return pod.spec?.nodeName ? toHost(pod, context) : { ok: true, value: { code: 204, text: '' } };
};

/** Without a container name, commands go to the first container, but logs of a pod with several need one. */
function containerProblem(
  { metadata, spec }: DraftObject<Pod>,
  { query }: VirtualContext,
  isChoice: boolean,
): string | undefined {
  const { name } = metadata;
  const wanted = query('container');
  const main = namesOf(spec?.containers);
  if (wanted !== '') {
    const known = [...main, ...namesOf(spec?.initContainers), ...namesOf(spec?.ephemeralContainers)];
    return known.includes(wanted) ? undefined : `container ${wanted} is not valid for pod ${name}`;
  }
  if (!isChoice || main.length === 1) return undefined;
  return `a container name must be specified for pod ${name}, choose one of: [${main.join(' ')}]`;
}

const namesOf = (containers: readonly Draft<Container>[] | null = []): readonly string[] =>
  (containers ?? []).map(({ name = '' }) => name);
