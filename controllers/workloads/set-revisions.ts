/** The templates that a stateful set has had, each kept as a ControllerRevision. */
import { createResourceClient } from '../../client/index.js';
import { ignoreNotFound } from '../kit/ignore-not-found.js';
import { canonicalText, shortHash } from './canonical.js';
import { controlledBy, isControlledBy, selectorText } from './owned.js';
import { controllerRevisions } from './resources.js';
import type { ControllerRevision, PodTemplate, StatefulSet } from './types.js';
import type { Work } from './work.js';

/** Label of pods that names the revision they were made of. */
export const revisionLabel = 'controller-revision-hash';

/** The revisions between which a set moves. */
export interface SetRevisions {
  /** The one that its pods had when it was last complete. */
  readonly current: ControllerRevision;
  /** The one of its present template. */
  readonly update: ControllerRevision;
  readonly all: readonly ControllerRevision[];
}

const beside = ({ client, namespace }: Work) => createResourceClient(controllerRevisions, client).in(namespace);

export const nameOf = ({ metadata }: ControllerRevision): string => metadata.name ?? '';

export const templateOf = ({ data }: ControllerRevision): PodTemplate => data?.spec.template ?? {};

/** Finds the revisions, and makes that of the present template, or has it be the latest again. */
export async function revisionsOf(set: StatefulSet, work: Work): Promise<SetRevisions> {
  const labelSelector = selectorText(set.spec?.selector);
  const { items } = await beside(work).list({ labelSelector, signal: work.signal });
  const all = items.filter((each) => isControlledBy(each, set)).sort((a, b) => numberOf(a) - numberOf(b));
  const update = await latest(set, all, work);
  const current = all.find((each) => nameOf(each) === set.status?.currentRevision) ?? update;
  return { current, update, all };
}

const numberOf = ({ revision }: ControllerRevision): number => Number(revision ?? 0);

async function latest(set: StatefulSet, all: readonly ControllerRevision[], work: Work): Promise<ControllerRevision> {
  // Clients take a set back to a revision by sending its data as a patch.
  const data = { spec: { template: { ...set.spec?.template, $patch: 'replace' } } };
  const text = canonicalText(data);
  const found = all.find((each) => canonicalText(each.data) === text);
  const revision = Math.max(0, ...all.map(numberOf)) + 1;
  const { signal } = work;
  if (found === undefined) {
    const hash = shortHash(text);
    const labels = { ...set.spec?.template?.metadata?.labels, [revisionLabel]: hash };
    const metadata = { name: `${set.metadata.name}-${hash}`, labels, ownerReferences: [controlledBy(set)] };
    return beside(work).create({ metadata, data, revision }, { signal });
  }
  return found === all.at(-1) ? found : beside(work).patch(nameOf(found), { revision }, { signal });
}

/** Deletes the oldest revisions that no pod has, so that no more are left than the set wants kept. */
export async function forgetOldRevisions(
  { spec }: StatefulSet,
  { all, current, update }: SetRevisions,
  used: ReadonlySet<string>,
  work: Work,
): Promise<void> {
  const kept = new Set([...used, nameOf(current), nameOf(update)]);
  const old = all.filter((each) => !kept.has(nameOf(each)));
  for (const each of old.slice(0, Math.max(0, old.length - (spec?.revisionHistoryLimit ?? 10)))) {
    await beside(work).delete(nameOf(each), { signal: work.signal }).catch(ignoreNotFound);
  }
}
