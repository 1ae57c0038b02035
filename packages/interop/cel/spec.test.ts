/**
 * Compares the expression engine with the public CEL conformance cases. `known-cel-differences.json` lists the known
 * differences with their reasons; their number may only fall.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../test/support/shared.js';
import { specCases } from './spec-cases.js';

const known: Record<string, string> = JSON.parse(
  readFileSync(join(root, 'packages/interop/cel/known-differences.json'), 'utf8'),
);
const { cases, left } = specCases();

describe('CEL conformance cases', () => {
  it.each(['parse', 'check', 'evaluate'] as const)('agrees in stage %s, except the known differences', (stage) => {
    const ofStage = cases.filter((one) => one.stage === stage);
    const differing = new Map(
      ofStage.flatMap((one) => {
        const difference = one.run();
        return difference === undefined ? [] : [[`${stage} ${one.name}`, difference]];
      }),
    );
    console.info(`${stage}: ${ofStage.length - differing.size} of ${ofStage.length} agree`);
    const fresh = [...differing].filter(([name]) => !Object.hasOwn(known, name));
    expect(Object.fromEntries(fresh), 'cases that differ and are not listed').toEqual({});
    const gone = Object.keys(known).filter((name) => name.startsWith(`${stage} `) && !differing.has(name));
    expect(gone, 'listed differences that are gone: take them off').toEqual([]);
  });

  it('leaves out only the cases of protobuf messages, enums and the blocks of optimizers', () => {
    expect(cases.length).toBeGreaterThan(5000);
    expect(left).toBeLessThan(2100);
  });
});
