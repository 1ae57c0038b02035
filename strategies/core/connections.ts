/** What leads to nodes, which this server has none behind it: logs, commands, forwarded ports and proxies. */
import type {
  ApiObject,
  Failure,
  Result,
  TextAnswer,
  VirtualContext,
  VirtualHandler,
} from '../../runtime/contract/index.js';
import { getOwn, isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { quote } from '../../runtime/objects/printing.js';
import { badRequest, notFound, serviceUnavailable } from '../../runtime/objects/status.js';

export function defineConnections(): readonly VirtualHandler[] {
  const commands = ['exec', 'attach'].map((subresource) => onPod(subresource, toContainer));
  return [
    ...commands,
    onPod('portforward', toHost),
    onPod('log', readLog),
    onPod('proxy', toAddress),
    { group: '', resource: 'services', subresource: 'proxy', connect: toService },
    { group: '', resource: 'nodes', subresource: 'proxy', connect: toNode },
  ];
}

type Connect = (pod: ApiObject, context: VirtualContext) => Result<TextAnswer>;

function onPod(subresource: string, connect: Connect): VirtualHandler {
  return {
    group: '',
    resource: 'pods',
    subresource,
    connect(context) {
      const name = targetOf(context.name, subresource === 'proxy');
      const pod = context.objects.get({ group: '', resource: 'pods', namespace: context.namespace, name });
      return pod ? connect(pod, context) : refuse(notFound('', 'pods', name));
    },
  };
}

const refuse = (failure: Failure): Result<TextAnswer> => ({ ok: false, failure });

/** The name in what a proxy is asked for: `name`, `name:port` or `scheme:name:port`. */
function targetOf(text: string, isProxied: boolean): string {
  if (!isProxied) return text;
  const [first = '', second = '', ...rest] = text.split(':');
  return rest.length === 0 ? first : second;
}

const hostOf = (pod: ApiObject): string => stringAt(objectAt(pod, 'spec'), 'nodeName');

const toHost: Connect = (pod) => {
  const host = hostOf(pod);
  if (host === '') return refuse(badRequest(`pod ${pod.metadata.name} does not have a host assigned`));
  return refuse(unreachable(host));
};

const unreachable = (node: string): Failure =>
  serviceUnavailable(`node ${quote(node)} cannot be reached: there are no nodes behind this server`);

const toContainer: Connect = (pod, context) => {
  const wrong = containerProblem(pod, context, false);
  return wrong === undefined ? toHost(pod, context) : refuse(badRequest(wrong));
};

/** A pod that no node has taken has written nothing yet. */
const readLog: Connect = (pod, context) => {
  const wrong = containerProblem(pod, context, true);
  if (wrong !== undefined) return refuse(badRequest(wrong));
  return hostOf(pod) === '' ? { ok: true, value: { code: 204, text: '' } } : toHost(pod, context);
};

/** Commands go to the first container where none is named; of logs, somebody has to say which. */
function containerProblem(pod: ApiObject, { query }: VirtualContext, isChoice: boolean): string | undefined {
  const wanted = query('container');
  const main = containersOf(pod, 'containers');
  const others = [...containersOf(pod, 'initContainers'), ...containersOf(pod, 'ephemeralContainers')];
  const { name } = pod.metadata;
  if (wanted !== '') {
    return [...main, ...others].includes(wanted) ? undefined : `container ${wanted} is not valid for pod ${name}`;
  }
  if (!isChoice || main.length === 1) return undefined;
  return `a container name must be specified for pod ${name}, choose one of: [${main.join(' ')}]`;
}

function containersOf(pod: ApiObject, field: string): readonly string[] {
  const containers = getOwn(objectAt(pod, 'spec') ?? {}, field);
  return isArray(containers) ? containers.map((each) => stringAt(isObject(each) ? each : {}, 'name')) : [];
}

const toAddress: Connect = (pod) => {
  const address = stringAt(objectAt(pod, 'status'), 'podIP');
  if (address === '') return refuse(badRequest('address not allowed'));
  return refuse(serviceUnavailable(`pod ${pod.metadata.name} at ${address} cannot be reached from this server`));
};

function toService({ objects, namespace, name }: VirtualContext): Result<TextAnswer> {
  const service = targetOf(name, true);
  const found = objects.get({ group: '', resource: 'services', namespace, name: service });
  if (!found) return refuse(notFound('', 'services', service));
  return refuse(serviceUnavailable(`no endpoints available for service ${quote(name)}`));
}

function toNode({ objects, name }: VirtualContext): Result<TextAnswer> {
  const node = targetOf(name, true);
  const found = objects.get({ group: '', resource: 'nodes', namespace: '', name: node });
  return refuse(found ? unreachable(node) : notFound('', 'nodes', node));
}
