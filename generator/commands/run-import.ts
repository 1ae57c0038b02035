/** The jobs of `kindforge import`: read, transform, write. */
import { plural } from '../diagnostics/print.js';
import { createProgress } from '../diagnostics/progress.js';
import {
  customResourcesIn,
  type Imported,
  importCustomResources,
  importOpenApi,
  printRemarks,
  summarizeRemarks,
} from '../import/index.js';
import { connectionOf, readCustomResources, type ServerFlags } from '../import/read-custom-resources.js';
import { DocumentError, readServer, readSource } from '../import/read-source.js';
import { FilesExistError, writeFiles } from '../import/write-files.js';

/** How a job ended: `refused` if the input is wrong, `failed` if it could not be read or written. */
type Ending = 'done' | 'refused' | 'failed';

/** The output of an import. */
export interface TargetFlags {
  readonly out: string;
  readonly force?: boolean;
}

/** The options of `kindforge import openapi`. */
export interface OpenApiFlags extends TargetFlags {
  readonly groups?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

/**
 * Converts the OpenAPI documents of a file, a URL or a server into definitions. With a kubeconfig, the source is a path
 * on its server, or empty for all documents of the server.
 */
export function runImportOpenApi(source: string, flags: OpenApiFlags): Promise<Ending> {
  const progress = createProgress(process.stderr);
  return finish(source || (flags.kubeconfig ?? ''), flags, async () => {
    try {
      const groups = flags.groups?.split(',').map((name) => (name === 'core' ? '' : name));
      const { documents, discovered } = await (flags.kubeconfig === undefined
        ? readSource(source, { progress, groups })
        : readServer(connectionOf(flags), source, { progress, groups }));
      const objects = customResourcesIn(documents);
      if (objects !== undefined) return importCustomResources(objects);
      return importOpenApi(documents, { discovered, ...(groups === undefined ? {} : { groups }) });
    } finally {
      progress.end();
    }
  });
}

/** Converts the CustomResourceDefinitions of a live server into files. */
export function runImportCustomResources(flags: TargetFlags & ServerFlags): Promise<Ending> {
  const source = flags.server ?? flags.kubeconfig ?? '';
  return finish(source, flags, async () => importCustomResources(await readCustomResources(flags)));
}

/**
 * Writes the files of an import. Prints mistakes to standard output, as `check` does. Prints what it wrote or left out
 * to standard error.
 */
async function finish(source: string, flags: TargetFlags, read: () => Promise<Imported>): Promise<Ending> {
  try {
    const { files, resources, errors, notes } = await read();
    for (const line of printRemarks(errors)) console.log(`${source}: ${line}`);
    if (errors.length > 0) {
      console.error(`${plural(errors.length, 'error')}; nothing was written`);
      return 'refused';
    }
    writeFiles(flags.out, files, flags.force ?? false);
    for (const line of summarizeRemarks(notes)) console.error(`note: ${line}`);
    const libraries = files.length - resources;
    const types = libraries === 0 ? '' : ` with the types of ${plural(libraries, 'group version')}`;
    console.error(`${plural(resources, 'resource')}${types} in ${flags.out}; run \`kindforge check\` next`);
    return 'done';
  } catch (error) {
    console.error(`kindforge: ${error instanceof Error ? error.message : String(error)}`);
    return error instanceof DocumentError || error instanceof FilesExistError ? 'refused' : 'failed';
  }
}
