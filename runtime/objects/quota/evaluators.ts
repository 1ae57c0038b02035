/** Finds how the objects of a resource are counted. */
import type { JsonObject } from '../../contract/index.js';
import { objectAt, objectsAt, stringAt } from '../guards.js';
import { memoize } from '../memoize.js';
import type { Naming } from '../names/naming.js';
import { compareQuantities, type Quantity, quantityInUnits } from '../scan/quantity.js';
import { type Amounts, amountsAt } from './amounts.js';
import { countName, countOf, type Evaluator, evaluatorOf, numberOfObjects } from './evaluator.js';
import { definePods } from './pods.js';

const count = countName('', 'persistentvolumeclaims');
const claimsName = 'persistentvolumeclaims';
const storageName = 'requests.storage';

/** Resources that quotas can also count by their plural alone, without `count/`. */
const counted: ReadonlySet<string> = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

export interface EvaluatorOptions {
  /** Whether updates may change the resources of running pods. */
  readonly podsResize?: boolean;
}

/** Returns the evaluator of a resource, by group and plural; `undefined` if quotas ignore the resource. */
export type Evaluators = (group: string, plural: string) => Evaluator | undefined;

export function defineEvaluators(names: Naming, { podsResize = false }: EvaluatorOptions = {}): Evaluators {
  const special: ReadonlyMap<string, Evaluator> = new Map([
    ['pods', definePods(names, podsResize)],
    ['services', services],
    ['persistentvolumeclaims', defineClaims(names)],
  ]);
  const ignored = new Set(
    // Events have no limit, and reviews and bindings are never stored.
    [
      ['', 'events'],
      ['events.platform.io', 'events'],
      ['', 'bindings'],
      ['', 'componentstatuses'],
      ['authentication.platform.io', 'tokenreviews'],
      ['authorization.platform.io', 'subjectaccessreviews'],
      ['authorization.platform.io', 'selfsubjectaccessreviews'],
      ['authorization.platform.io', 'localsubjectaccessreviews'],
      ['authorization.platform.io', 'selfsubjectrulesreviews'],
    ].map(([group = '', plural]) => `${plural}.${names.rename(group)}`),
  );
  const ofCore = (plural: string): Evaluator =>
    special.get(plural) ?? numberOfObjects(countName('', plural), ...(counted.has(plural) ? [plural] : []));
  const find = memoize((key) => {
    if (ignored.has(key)) return { evaluator: undefined };
    const [plural, group] = splitAt(key, key.indexOf('.'));
    return { evaluator: group === '' ? ofCore(plural) : numberOfObjects(countName(group, plural)) };
  });
  return (group, plural) => find(`${plural}.${group}`).evaluator;
}

/** Makes the evaluator of claims. A claim may grow, so updates cost too. */
function defineClaims({ rename }: Naming): Evaluator {
  const ofClass = `.storageclass.${rename('storage.platform.io')}/`;
  const classAnnotation = rename('volume.beta.platform.io/storage-class');
  const byClass = [claimsName, storageName].map((name) => `${ofClass}${name}`);
  return evaluatorOf({
    chargesUpdates: true,
    covers: (name) =>
      name === count || name === claimsName || name === storageName || byClass.some((end) => name.endsWith(end)),
    usage(claim) {
      const used = new Map([
        [count, countOf(1)],
        [claimsName, countOf(1)],
      ]);
      const storage = storageOf(claim);
      if (storage) used.set(storageName, storage);
      const storageClass = classOf(claim, classAnnotation);
      if (storageClass === '') return used;
      used.set(`${storageClass}${ofClass}${claimsName}`, countOf(1));
      if (storage) used.set(`${storageClass}${ofClass}${storageName}`, storage);
      return used;
    },
  });
}

/** Returns the class of a claim. The annotation is older than the field and has priority. */
function classOf(claim: JsonObject, annotation: string): string {
  const annotations = objectAt(objectAt(claim, 'metadata'), 'annotations');
  const annotated = annotations?.[annotation];
  return typeof annotated === 'string' ? annotated : stringAt(objectAt(claim, 'spec'), 'storageClassName');
}

/** Returns the storage in whole bytes. A claim that requests less than its allocation uses the allocation. */
function storageOf(claim: JsonObject): Quantity | undefined {
  const storageIn = (amounts: Amounts): Quantity | undefined => amounts.get('storage');
  const asked = storageIn(amountsAt(objectAt(objectAt(claim, 'spec'), 'resources'), 'requests'));
  const given = storageIn(amountsAt(objectAt(claim, 'status'), 'allocatedResources'));
  if (!asked) return undefined;
  return inWholeUnits(given && compareQuantities(given, asked) > 0 ? given : asked);
}

const inWholeUnits = (amount: Quantity): Quantity =>
  amount.exponent >= 0 ? amount : { digits: quantityInUnits(amount), exponent: 0, notation: amount.notation };

const splitAt = (text: string, at: number): readonly [string, string] => [text.slice(0, at), text.slice(at + 1)];

const names = {
  count: countName('', 'services'),
  services: 'services',
  loadBalancers: 'services.loadbalancers',
  nodePorts: 'services.nodeports',
} as const;

const all: ReadonlySet<string> = new Set(Object.values(names));

/** Makes the evaluator of services. Updates cost too, because they may change the type of a service. */
const services: Evaluator = evaluatorOf({
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

/** Returns how many node ports a service will have. They are allocated after the count. */
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
