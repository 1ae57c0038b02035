/** Recorded scenarios, and errors in the form of recordings. */
import { readFileSync } from 'node:fs';
import type { FieldError, JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { shared } from './shared.js';

interface Step {
  readonly ignoreBody?: boolean;
  readonly request?: {
    readonly method: string;
    readonly path: string;
    readonly headers?: { readonly [name: string]: string };
    readonly body?: JsonValue;
    readonly rawBody?: string;
  };
  readonly response?: { readonly status: number; readonly body?: JsonObject; readonly warnings?: readonly string[] };
}

/** A recorded scenario. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

export const scenariosOf = (area: string): readonly Scenario[] =>
  JSON.parse(readFileSync(shared('conformance', 'suites', `${area}.json`), 'utf8'));

/** Prints an error in one line, with its reason. */
export const lineOf = ({ field, message, reason }: FieldError): string => `${field}: ${message} (${reason})`;
