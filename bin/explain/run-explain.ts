/** The job of `kindforge explain`. */
import { exitCodes } from '../exit-codes.js';
import { tellFailure } from '../objects/failure.js';
import { toJson } from '../objects/print/objects.js';
import { type Printing, standardPrinting } from '../objects/printing.js';
import { runCommand } from '../objects/run-command.js';
import type { ServerFlags } from '../objects/server-flags.js';
import { explanation, outline } from './print.js';
import { partAt, schemaOfKind } from './schema.js';
import { type KnownKind, kindOfFolder, kindOfServer } from './sources.js';

export interface ExplainFlags extends ServerFlags {
  readonly schemas?: string;
  readonly apiVersion?: string;
  readonly recursive?: boolean;
  readonly output: 'text' | 'json';
}

/** Sets the exit code of the process. */
export async function runExplain(path: string, flags: ExplainFlags): Promise<void> {
  const [resource = '', ...fields] = path.split('.');
  const { schemas, apiVersion } = flags;
  if (schemas === undefined) {
    return runCommand(flags, { verb: 'get', resource }, async ({ target, printing }) => {
      print(await kindOfServer(target, resource, apiVersion), fields, flags, printing);
      return true;
    });
  }
  try {
    print(kindOfFolder(schemas, resource, apiVersion), fields, flags, standardPrinting);
  } catch (error) {
    const { ending, lines } = tellFailure(error);
    for (const line of lines) standardPrinting.error(line);
    process.exitCode = exitCodes[ending];
  }
}

function print(
  { kind, schemas }: KnownKind,
  fields: readonly string[],
  { recursive, output }: ExplainFlags,
  { out }: Printing,
): void {
  const part = partAt(schemas, schemaOfKind(schemas, kind), fields);
  if (output === 'json') {
    out(toJson({ ...kind, field: part.path, required: part.required, schema: part.schema }));
    return;
  }
  const lines = explanation(schemas, kind, part);
  const told = recursive ? [...lines.slice(0, lines.indexOf('FIELDS:') + 1), ...outline(schemas, part)] : lines;
  out(told.join('\n').trimEnd());
}
