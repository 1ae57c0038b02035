/** Counts services, and the node ports and load balancers that they ask for. */
import type { JsonObject } from '../../contract/index.js';
import type { Amounts } from '../amounts.js';
import { objectAt, objectsAt, stringAt } from '../guards.js';
import { countName, countOf, type Evaluator, evaluatorOf } from './evaluator.js';

const names = {
  count: countName('', 'services'),
  services: 'services',
  loadBalancers: 'services.loadbalancers',
  nodePorts: 'services.nodeports',
} as const;

const all: ReadonlySet<string> = new Set(Object.values(names));

/** The type of a service may change, so that updates cost too. */
export const services: Evaluator = evaluatorOf({
  chargesUpdates: true,
  covers: (name) => all.has(name),
  usage: (object) => usageOf(objectAt(object, 'spec')),
});

const usageOf = (spec: JsonObject | undefined): Amounts =>
  new Map([
    [names.count, countOf(1)],
    [names.services, countOf(1)],
    [names.loadBalancers, countOf(stringAt(spec, 'type') === 'LoadBalancer' ? 1 : 0)],
    [names.nodePorts, countOf(nodePortsOf(spec))],
  ]);

/** Node ports are given out later than they are counted: what counts is how many the service will have. */
function nodePortsOf(spec: JsonObject | undefined): number {
  const ports = objectsAt(spec, 'ports');
  switch (stringAt(spec, 'type')) {
    case 'NodePort':
      return ports.length;
    case 'LoadBalancer':
      if (spec?.allocateLoadBalancerNodePorts !== false) return ports.length;
      return ports.filter(({ nodePort }) => Number(nodePort ?? 0) !== 0).length;
    default:
      return 0;
  }
}
