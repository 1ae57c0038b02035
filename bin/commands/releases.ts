/** `kindforge releases`: prints what differs between two releases of the API. */
import { type Command, Option } from 'commander';
import type { ResourceModule } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import type { Release } from '../../runtime/objects/release.js';
import { type Ending, exitCodes } from '../exit-codes.js';

interface Flags {
  readonly of?: string;
  readonly schemas?: string;
  readonly naming: 'platform' | 'kubernetes';
  readonly output: 'text' | 'json';
}

/** Adds the command. What it needs is loaded only when it runs. */
export function addReleases(program: Command): void {
  program
    .command('releases')
    .description('print what differs between two releases of the API: kinds, fields, gates, behaviours')
    .argument('[from]', 'release, as in 1.27, latest, or default for a server without --emulated-version')
    .argument('[to]', 'release to compare it with (default: latest)')
    .option('--schemas <dir>', 'compare releases of your own definitions in a folder, as in 2.0 and 2.1')
    .option('--of <name>', 'show only a group or a kind, with the gates that it names')
    .addOption(
      new Option('--naming <naming>', 'names of groups').choices(['platform', 'kubernetes']).default('platform'),
    )
    .addOption(new Option('-o, --output <format>', 'output format').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
Without a release, it prints a table of all releases with the number of changes in each.

Exit codes:
  0  the differences or the table were printed
  2  a release, a group or a kind is not known`,
    )
    .action(async (from: string | undefined, to: string | undefined, flags: Flags) => {
      process.exitCode = exitCodes[await ending(from, to, flags)];
    });
}

async function ending(from: string | undefined, to: string | undefined, flags: Flags): Promise<Ending> {
  try {
    for (const line of await linesOf(from, to, flags)) console.log(line);
    return 'done';
  } catch (error) {
    const { messageFor } = await import('../flags/project.js');
    console.error(`kindforge: ${messageFor(error)}`);
    return 'failed';
  }
}

/** Throws an `Error` for unknown names. */
async function linesOf(from: string | undefined, to: string | undefined, flags: Flags): Promise<readonly string[]> {
  const { kubernetesNaming, platformNaming } = await import('../../runtime/objects/names/naming.js');
  const { compareReleases } = await import('../../server/maintenance/compare-releases.js');
  const { changeLines, countLines, countsOf } = await import('../../server/maintenance/print-changes.js');
  const naming = flags.naming === 'kubernetes' ? kubernetesNaming : platformNaming;
  const own = flags.schemas === undefined ? undefined : await ownKinds(flags.schemas);
  const kinds = flags.of === undefined ? own : await kindsCalled(flags.of, naming, own);
  const asJson = (value: unknown): readonly string[] => [JSON.stringify(value, undefined, 2)];
  if (own && (from === undefined || to === undefined))
    throw new Error('--schemas: name two of your releases, as in 2.0 2.1');
  if (from === undefined) {
    const { releases } = await import('../../runtime/objects/release.js');
    const names = await Promise.all(releases.map(async (name) => ({ name, release: await releaseCalled(name) })));
    const counts = await Promise.all(
      names.slice(1).map(async ({ name, release }, i) => {
        const before = names[i]?.release ?? release;
        return countsOf(name, await compareReleases(before, release, kinds));
      }),
    );
    return flags.output === 'json' ? asJson(counts) : countLines(counts);
  }
  const named = own ? ownReleaseCalled : releaseCalled;
  const changes = await compareReleases(await named(from), await named(to ?? 'latest'), kinds);
  if (flags.output === 'json') return asJson({ from, to: to ?? 'latest', ...renamed(changes, naming) });
  const lines = changeLines(changes, naming.rename);
  return lines.length === 0 ? ['nothing differs'] : lines;
}

async function releaseCalled(text: string): Promise<Release> {
  const { emulate, isEmulated, releases } = await import('../../runtime/objects/release.js');
  if (text === 'default') return emulate();
  if (isEmulated(text)) return emulate(text);
  throw new Error(`${text} is not a release; use ${releases.join(', ')}, latest or default`);
}

async function ownReleaseCalled(text: string): Promise<Release> {
  const { isRelease, projectRelease } = await import('../../runtime/objects/release.js');
  if (isRelease(text)) return projectRelease(text);
  throw new Error(`${text} is not a release; use two numbers, as in 2.1`);
}

async function ownKinds(schemas: string): Promise<readonly ResourceModule[]> {
  const { checkFolder, loadModules } = await import('../../server/load-definitions.js');
  checkFolder(schemas);
  return (await loadModules(schemas)).modules;
}

async function kindsCalled(
  text: string,
  { rename }: Naming,
  own: readonly ResourceModule[] | undefined,
): Promise<ReadonlySet<ResourceModule>> {
  const { groupsAndKinds } = await import('../../server/maintenance/compare-releases.js');
  const { didYouMean } = await import('../../runtime/objects/suggest.js');
  const known = groupsAndKinds(rename, own);
  const found = known.get(text.toLowerCase());
  if (found !== undefined) return found;
  const advice = didYouMean(text.toLowerCase(), known.keys()) ?? 'use the name of a group, a kind or a resource';
  throw new Error(`--of ${text}: there is no such group or kind; ${advice}`);
}

interface InGroup {
  readonly group: string;
}

function renamed<T extends { readonly kinds: readonly InGroup[]; readonly fields: readonly InGroup[] }>(
  changes: T,
  { rename }: Naming,
): object {
  const under = <C extends InGroup>(change: C): object => ({ ...change, group: rename(change.group) });
  return { ...changes, kinds: changes.kinds.map(under), fields: changes.fields.map(under) };
}
