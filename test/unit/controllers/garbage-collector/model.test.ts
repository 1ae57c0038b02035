import { expect, it } from 'vitest';
import { createResourceClient } from '../../../../client/index.js';
import { configMaps } from '../../../../generated/core/v1/index.js';
import { effort } from '../../../support/effort.js';
import { ownerOf } from '../../../support/owned-objects.js';
import { servingForTests } from '../../../support/serving.js';
import { type Deletion, type Member, outcome } from './model.js';

const server = servingForTests({ controllers: 'garbagecollector' });

const maps = () => createResourceClient(configMaps, server().client()).in('default');

interface Graph {
  readonly members: readonly Member[];
  readonly deletions: readonly Deletion[];
}

/** Returns numbers from 0 up to a limit that look random and are the same each time. */
function randomOf(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const policies = ['Orphan', 'Background', 'Foreground'] as const;

function randomGraph(seed: number): Graph {
  const random = randomOf(seed);
  const names = Array.from({ length: 2 + random(7) }, (_, i) => `g${seed}-${i}`);
  const pick = (): string => names[random(names.length)] ?? '';
  const members = names.map((name) => {
    const owners = Array.from({ length: Math.max(0, random(5) - 1) }, () =>
      random(8) === 0 ? `${name}-absent` : pick(),
    );
    return { name, owners: [...new Set(owners)] };
  });
  const deletions = Array.from({ length: 1 + random(3) }, () => ({
    name: pick(),
    policy: policies[random(3)] ?? 'Background',
  }));
  return { members, deletions };
}

async function build({ members }: Graph, random: (limit: number) => number): Promise<void> {
  const made = new Map<string, Awaited<ReturnType<ReturnType<typeof maps>['create']>>>();
  for (const { name } of members) made.set(name, await maps().create({ metadata: { name } }));
  for (const { name, owners } of members) {
    if (owners.length === 0) continue;
    const ownerReferences = owners.map((owner) => {
      const object = made.get(owner) ?? { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: owner, uid: owner } };
      return ownerOf(object, random(2) === 0 ? {} : { blockOwnerDeletion: true });
    });
    await maps().patch(name, { metadata: { ownerReferences } });
  }
}

/** Lists the members of all graphs, and the names of their owners. */
async function present(): Promise<Record<string, string[]>> {
  const { items } = await maps().list();
  return Object.fromEntries(
    items.flatMap(({ metadata: { name = '', ownerReferences = [] } }) =>
      name.startsWith('g') ? [[name, ownerReferences.map((owner) => owner.name).sort()]] : [],
    ),
  );
}

const expected = (graphs: readonly Graph[], steps: number): Record<string, string[]> =>
  Object.fromEntries(
    graphs.flatMap(({ members, deletions }) =>
      [...outcome(members, deletions.slice(0, steps))].map(([name, owners]) => [name, [...owners].sort()]),
    ),
  );

const total = effort('KINDFORGE_GARBAGE_RUNS', 100, 1000);
const batch = 50;

it(`keeps the objects that the model keeps, in ${total} graphs`, async () => {
  for (let first = 1; first <= total; first += batch) {
    const graphs = Array.from({ length: Math.min(batch, total - first + 1) }, (_, i) => randomGraph(first + i));
    await Promise.all(graphs.map((graph, i) => build(graph, randomOf(first + i))));
    const steps = Math.max(...graphs.map(({ deletions }) => deletions.length));
    for (let step = 0; step <= steps; step++) {
      const due = graphs.flatMap(({ deletions }) => (step > 0 ? (deletions[step - 1] ?? []) : []));
      await Promise.all(
        due.map(({ name, policy }) =>
          maps()
            .delete(name, { propagationPolicy: policy })
            .catch(() => undefined),
        ),
      );
      await expect.poll(present, { timeout: 20_000, interval: 50 }).toEqual(expected(graphs, step));
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await present()).toEqual(expected(graphs, steps));
    await maps().deleteCollection({ labelSelector: '' });
    await expect.poll(present, { timeout: 20_000 }).toEqual({});
  }
}, 600_000);
