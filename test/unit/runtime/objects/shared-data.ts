/** Finds the public test tables and the recorded exchanges beside the checkout, if they exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { tableRows as everyRow, type TableRow } from '../../../support/shared.js';

const shared = fileURLToPath(new URL('../../../../../shared/', import.meta.url));

export const tablesAbsent = !existsSync(`${shared}suites/tables`);
export const recordingsAbsent = !existsSync(`${shared}conformance/suites`);

/** Returns the rows of a table for one of its tests; an empty list without tables. */
export const tableRows = (table: string, test: string): readonly TableRow<unknown>[] =>
  everyRow<unknown>(table).filter((row) => row.test === test);

export interface Recorded {
  readonly suite: string;
  readonly scenario: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string | null>>;
    readonly body?: unknown;
    readonly rawBody?: string;
  };
  readonly status: number;
  readonly contentType?: string;
  readonly warnings?: readonly string[];
  readonly body: unknown;
}

interface Step {
  readonly request?: Recorded['request'];
  readonly response?: Pick<Recorded, 'status' | 'contentType' | 'warnings' | 'body'>;
}

/** Returns every recorded request with an answer; an empty list without recordings. */
export function recordings(): readonly Recorded[] {
  if (recordingsAbsent) return [];
  const found: Recorded[] = [];
  for (const suite of readdirSync(`${shared}conformance/suites`)) {
    const text = readFileSync(`${shared}conformance/suites/${suite}`, 'utf8');
    const scenarios: { name: string; steps: Step[] }[] = JSON.parse(text);
    for (const { name, steps } of scenarios) {
      for (const { request, response } of steps) {
        if (request?.path !== undefined && response !== undefined)
          found.push({ suite, scenario: name, request, ...response });
      }
    }
  }
  return found;
}
