/** Finds, creates and deletes the pods of a workload. */
import { type ApiObjectLike, controlledBy, createResourceClient, isControlledBy } from '../../client/index.js';
import { ignoreNotFound } from '../../controllers/kit/ignore-not-found.js';
import { pods } from './resources.js';
import type { LabelSelector, Pod, PodTemplate } from './types.js';
import type { Work } from './work.js';

/** The most pods of one workload to create or delete at once. */
const atOnce = 50;

interface Workload extends ApiObjectLike {
  spec?: { selector?: LabelSelector; template?: PodTemplate };
}

/** Reads the pods of a workload from the server. With a cache that is late, the workload would create pods twice. */
export async function podsOf(owner: Workload, { client, namespace, signal }: Work): Promise<readonly Pod[]> {
  const beside = createResourceClient(pods, client).in(namespace);
  const { items } = await beside.list({ labelSelector: selectorText(owner.spec?.selector), signal });
  return items.filter((pod) => isControlledBy(pod, owner));
}

/** A pod to create: the prefix of its name, and its template. */
export interface PodPlan {
  readonly prefix: string;
  readonly template: PodTemplate;
}

/** Plans a number of pods from the workload's template. */
export const alike = (owner: Workload, count: number): readonly PodPlan[] =>
  Array<PodPlan>(count).fill({ prefix: `${owner.metadata.name}-`, template: owner.spec?.template ?? {} });

export async function makePods(
  owner: Workload,
  plans: readonly PodPlan[],
  { client, namespace, signal }: Work,
): Promise<void> {
  const beside = createResourceClient(pods, client).in(namespace);
  const ownerReferences = [controlledBy(owner)];
  for (let at = 0; at < plans.length; at += atOnce) {
    const made = plans.slice(at, at + atOnce).map(({ prefix, template: { metadata = {}, spec = {} } }) => {
      const { labels = {}, annotations = {}, finalizers = [] } = metadata;
      const given = { generateName: prefix, labels, annotations, finalizers, ownerReferences };
      return beside.create({ metadata: given, spec }, { signal });
    });
    await Promise.all(made);
  }
}

export async function deletePods(some: readonly Pod[], { client, namespace, signal }: Work): Promise<void> {
  const beside = createResourceClient(pods, client).in(namespace);
  for (let at = 0; at < some.length; at += atOnce) {
    const gone = some
      .slice(at, at + atOnce)
      .map(({ metadata: { name = '', uid = '' } }) =>
        beside.delete(name, { preconditions: { uid }, signal }).catch(ignoreNotFound),
      );
    await Promise.all(gone);
  }
}

/** Returns a selector as text, for lists. */
export function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): string {
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    return operator === 'DoesNotExist' ? `!${key}` : `${key} ${operator.toLowerCase()} (${values.join(',')})`;
  });
  return [...Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`), ...expressions].join(',');
}
