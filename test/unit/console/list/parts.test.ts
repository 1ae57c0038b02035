/** The parts of the list page that need no browser. */
import { describe, expect, it } from 'vitest';
import type { ServedKind } from '../../../../client/index.js';
import type { Row } from '../../../../packages/console/src/data/live-table.js';
import { countOf } from '../../../../packages/console/src/pages/list/count.js';
import { fieldsOf } from '../../../../packages/console/src/pages/list/fields.js';
import { completionsOf } from '../../../../packages/console/src/pages/list/labels.js';
import { forAll } from '../../../../packages/console/src/pages/list/requests.js';
import { toneOf } from '../../../../packages/console/src/pages/list/tone.js';
import { withoutServerFields } from '../../../../packages/console/src/pages/list/undo.js';

describe('the tone of a cell', () => {
  it('follows from words for states, in columns of states only', () => {
    const tones = ['Running', 'CrashLoopBackOff', 'Pending', 'Unknown', 'True', 'False', 'something'];
    expect(tones.map((value) => toneOf('Status', value))).toEqual([
      'good',
      'bad',
      'warn',
      'info',
      'good',
      'warn',
      undefined,
    ]);
    expect(toneOf('Name', 'Running')).toBeUndefined();
  });
});

describe('changes of many objects', () => {
  it('continue after a failure, a few at a time, and report each outcome', async () => {
    let [open, most, done] = [0, 0, 0];
    const results = await forAll(
      Array.from({ length: 20 }, (_, index) => index),
      async (index) => {
        most = Math.max(most, ++open);
        await new Promise((resolve) => setTimeout(resolve, 1));
        open--;
        if (index === 3) throw new Error('no');
      },
      (count) => {
        done = count;
      },
    );
    expect([results.length, done]).toEqual([20, 20]);
    expect(results.filter(({ error }) => error !== undefined).map(({ of }) => of)).toEqual([3]);
    expect(most).toBe(6);
  });
});

describe('a deleted object', () => {
  it("can be created again without the server's fields", () => {
    const metadata = {
      name: 'a',
      labels: { b: 'c' },
      uid: '1',
      resourceVersion: '2',
      generation: 3,
      managedFields: [],
    };
    expect(withoutServerFields({ apiVersion: 'v1', kind: 'A', metadata, spec: { d: 1 }, status: { e: 2 } })).toEqual({
      apiVersion: 'v1',
      kind: 'A',
      metadata: { name: 'a', labels: { b: 'c' } },
      spec: { d: 1 },
    });
  });
});

describe('labels to complete', () => {
  it('come from the rows, each once, after the typed terms', () => {
    const row = (name: string, labels: Record<string, string>): Row => ({
      ...{ id: name, namespace: '', name, labels, created: '', cells: [], revision: '', changedAt: 0 },
    });
    const rows = new Map([row('a', { app: 'web' }), row('b', { app: 'web', tier: 'x' })].map((one) => [one.id, one]));
    expect(completionsOf('', rows)).toEqual(['app=web', 'tier=x']);
    expect(completionsOf('app=web,ti', rows)).toEqual(['app=web,app=web', 'app=web,tier=x']);
  });
});

describe('fields to complete', () => {
  const kindOf = (group: string, plural: string): ServedKind => ({
    ...{ group, plural, version: 'v1', kind: 'A', singular: 'a', shortNames: [], categories: [], verbs: [] },
    ...{ scope: 'Cluster' as const, isPreferred: true, subresources: [] },
  });

  it('come from all kinds, from the built-in kind, and from the schema', () => {
    expect(fieldsOf(kindOf('', 'nodes'), undefined)).toEqual(['metadata.name', 'spec.unschedulable']);
    expect(fieldsOf(kindOf('certificates.example.com', 'certificatesigningrequests'), undefined)).toContain(
      'spec.signerName',
    );
    const schema = {
      type: 'object',
      'x-kubernetes-selectable-fields': [{ fieldPath: '.spec.colour' }, null, { fieldPath: 3 }],
    };
    expect(fieldsOf(kindOf('shop.example.com', 'gadgets'), { schema, schemas: {} })).toEqual([
      'metadata.name',
      'spec.colour',
    ]);
  });
});

describe('the count of a list', () => {
  it.each([
    [{ size: 12_200, fitting: 12_000, expected: 100_000, isLoading: true }, '12,200 of 100,000 loaded'],
    [{ size: 2_200, fitting: 2_200, expected: undefined, isLoading: true }, '2,200 loaded so far'],
    [{ size: 100_000, fitting: 7, expected: undefined, isLoading: false }, '7 of 100,000'],
    [{ size: 3, fitting: 3, expected: undefined, isLoading: false }, '3'],
  ])('of %o is %s', (counted, text) => {
    expect(countOf(counted)).toBe(text);
  });
});
