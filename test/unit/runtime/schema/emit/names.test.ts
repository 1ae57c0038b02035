/** Names of generated functions where several want the same one. */
import { describe, expect, it } from 'vitest';
import { NameTable, qualified } from '../../../../../runtime/schema/emit/names.js';
import { printModule } from '../../../../../runtime/schema/emit/print-module.js';
import { referenceTo } from '../../../../../runtime/schema/emit/references.js';

describe('a name that is taken', () => {
  it('gets that of the caller, and a number only where that is taken too', () => {
    const table = new NameTable();
    const byJob = (): string => qualified('pruneConditions', 'pruneJobStatus');
    expect(table.take('pruneConditions', byJob)).toBe('pruneConditions');
    expect(table.take('pruneConditions', byJob)).toBe('pruneJobStatusConditions');
    expect(table.take('pruneConditions', byJob)).toBe('pruneJobStatusConditions2');
    expect(table.take('prunePorts')).toBe('prunePorts');
  });

  it('stays what it is where nobody calls it', () => {
    expect(qualified('pruneConditions', undefined)).toBe('pruneConditions');
    expect(qualified('prune', 'pruneSpec')).toBe('prune');
  });

  it('is that of its type where this is exported', () => {
    const code = (name: string, ...body: string[]) => ({ name, parameters: [], returns: 'void', body });
    const definitions = new Map([
      [0, code('pruneConditions', 'a();')],
      [1, code('pruneStatus', `${referenceTo(0)}();`)],
      [2, code('pruneConditions', 'b();')],
      [3, code('pruneStatus', `${referenceTo(2)}();`)],
    ]);
    const exported = new Map([
      [1, 'pruneJobStatus'],
      [3, 'prunePodStatus'],
    ]);
    const text = printModule({ language: 'js', definitions, offered: new Map(), exported });
    expect(text.match(/function \w+/g)).toEqual([
      'function prunePodStatus',
      'function prunePodStatusConditions',
      'function pruneJobStatus',
      'function pruneConditions',
    ]);
  });
});
