/** Reads the CustomResourceDefinitions that a running server has. */
import { analyseFolder } from '../../check/load-definitions.js';
import { printDefinition } from '../../import/imported-file.js';
import { importCustomResources } from '../../import/index.js';
import { readCustomResources, type ServerFlags } from '../../import/read-custom-resources.js';
import { describe } from '../../load/find-files.js';
import { folderOfTexts } from '../../load/load-folder.js';
import { type Side, SideError } from './side.js';

/** Reads `server:<url>` or `kubeconfig:<file>#<context>`. Rejects with a `SideError`. */
export async function readServerSide(name: string): Promise<Side> {
  const { files, errors } = importCustomResources(await definitionsOf(name));
  const [first] = errors;
  if (first !== undefined) throw new SideError(`${name}: ${first.message}`);
  const texts = files.map((file) => ({ path: file.path, text: printDefinition(file.value) }));
  const definitions = analyseFolder(folderOfTexts(texts), undefined, 'shape');
  return {
    name,
    // Unlike a folder, a server may have no definitions: then all of the other side are new.
    definitions: files.length > 0 ? definitions : { ...definitions, diagnostics: [] },
    extent: 'server',
    show: ({ path }) => `${name}/${path}`,
    isLocal: false,
  };
}

async function definitionsOf(name: string): ReturnType<typeof readCustomResources> {
  try {
    return await readCustomResources(flagsOf(name));
  } catch (error) {
    throw new SideError(`${name}: ${wordsFor(error)}`);
  }
}

/** Returns the first line of an error; some libraries add pieces of files below it. */
function wordsFor(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first = ''] = error.message.split('\n');
  return /^E[A-Z]+:/.test(first) ? `the file ${describe(error)}` : first;
}

function flagsOf(name: string): ServerFlags {
  const [, kind, rest = ''] = /^(server|kubeconfig):(.*)$/s.exec(name) ?? [];
  if (kind === 'server') {
    if (!/^https?:\/\//i.test(rest) || !URL.canParse(rest)) {
      throw new SideError('this is not a URL; write server:http://127.0.0.1:8080, or kubeconfig:<file>');
    }
    return { server: rest };
  }
  const hash = rest.lastIndexOf('#');
  if (rest === '') throw new SideError('the file is missing; write kubeconfig:<file> or kubeconfig:<file>#<context>');
  return hash < 0 ? { kubeconfig: rest } : { kubeconfig: rest.slice(0, hash), context: rest.slice(hash + 1) };
}
