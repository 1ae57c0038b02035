/** Plays kube-apiserver for test suites: takes its flags, and serves with Kubernetes names. */
import { apiRelease } from '../../runtime/objects/release.js';
import { readProductVersion } from '../../server/kinds.js';
import { printHelp } from './help.js';
import { readArguments } from './read-arguments.js';
import { type Settings, settingsOf, textOf } from './settings.js';
import { findFlag } from './table/index.js';
import { type CertificatePair, type KnownNames, translate } from './translate.js';

/** Where it prints, and what it is started with. */
export interface ApiServerHost {
  readonly print: (text: string) => void;
  readonly warn: (line: string) => void;
  /** Variables that are not set get the defaults of the stand-in. */
  readonly environment: Record<string, string | undefined>;
}

/** The next step: end with an exit code, or serve with arguments of `kindforge serve`. */
export type NextStep = { readonly exit: number } | { readonly serve: readonly string[] };

/** The settings of a server for tests, which the environment may change. */
const defaults: Readonly<Record<string, string>> = {
  KINDFORGE_NAMING: 'kubernetes',
  KINDFORGE_STORAGE: 'memory',
  KINDFORGE_CONTROLLERS: 'none',
  KINDFORGE_HTTP_PORT: '0',
  KINDFORGE_PROJECT: 'none',
  KINDFORGE_QUIET: 'true',
};

/** Reads the arguments of kube-apiserver; writes a certificate where it needs one. */
export async function readApiServer(args: readonly string[], host: ApiServerHost): Promise<NextStep> {
  const read = readArguments(args, findFlag);
  if (!read.ok) return refuse(read.problem, host);
  const settings = settingsOf(read.given);
  if (textOf(settings, 'help') === 'true') return end(host, printHelp());
  if (textOf(settings, 'version') === 'true') return end(host, printVersion());
  const translated = translate(settings, await knownNames(settings));
  if (!translated.ok) return refuse(translated.problem, host);
  for (const warning of translated.warnings) host.warn(`kube-apiserver: ${warning}`);
  if (translated.pair) await writePair(translated.pair, settings);
  for (const [name, value] of Object.entries(defaults)) host.environment[name] ??= value;
  return { serve: translated.args };
}

/** As kube-apiserver prints it: `Kubernetes v1.27.0+…`. */
export const printVersion = (): string => `Kubernetes v${apiRelease}.0+kindforge.${readProductVersion()}\n`;

function end({ print }: ApiServerHost, text: string): NextStep {
  print(text);
  return { exit: 0 };
}

function refuse(problem: string, { warn }: ApiServerHost): NextStep {
  warn(`Error: ${problem}`);
  return { exit: 1 };
}

const nothingKnown: KnownNames = { gate: () => true, plugin: () => true, usualPlugins: () => [] };

/** They are loaded only where a flag names some. */
async function knownNames(settings: Settings): Promise<KnownNames> {
  const named = ['feature-gates', 'disable-admission-plugins', 'admission-control'].some((name) => settings.has(name));
  if (!named) return nothingKnown;
  const { isAdmissionPlugin, isFeatureGate, usualAdmissionPlugins } = await import('../../server/known-names.js');
  return { gate: isFeatureGate, plugin: isAdmissionPlugin, usualPlugins: usualAdmissionPlugins };
}

async function writePair(pair: CertificatePair, settings: Settings): Promise<void> {
  const { writeServingPair } = await import('../../server/transport/given-tls.js');
  const host = textOf(settings, 'bind-address') ?? '127.0.0.1';
  const serviceRange = textOf(settings, 'service-cluster-ip-range') ?? '10.0.0.0/24';
  writeServingPair({ ...pair, host, serviceRange });
}
