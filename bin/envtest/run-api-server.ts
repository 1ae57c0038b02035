/** Plays kube-apiserver for test suites: takes its flags, and serves with Kubernetes names. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { apiRelease, type EmulatedVersion, emulate, isEmulated, releases } from '../../runtime/objects/release.js';
import { textBefore } from '../../runtime/objects/scan/numbers.js';
import { readProductVersion } from '../../server/kinds.js';
import type { Flag } from '../flags/flag.js';
import { serveFlagGroups } from '../flags/serve/index.js';
import type { ApiServerFlag, FlagValueKind } from './api-server-flag.js';
import { findFlag } from './api-server-flags.js';
import { type GivenFlag, printHelp, readArguments } from './read-arguments.js';

// The values of the flags of kube-apiserver. The values of a repeated flag are combined.

/** Values by the names of their flags. Lists and mappings have commas between their parts. */
type Settings = ReadonlyMap<string, Setting>;

interface Setting {
  readonly flag: ApiServerFlag;
  /** One text, or several if the values of a repeated flag cannot be joined with commas. */
  readonly texts: readonly string[];
}

const joined: ReadonlySet<FlagValueKind | undefined> = new Set([
  'mapStringBool',
  'mapStringString',
  'strings',
  'stringToString',
]);
const separate: ReadonlySet<FlagValueKind | undefined> = new Set(['namedCertKey', 'stringArray']);

/** Collects the values. A repeated flag adds to a list; of other flags the last value counts. Ignores empty values. */
export function settingsOf(given: readonly GivenFlag[]): Settings {
  const settings = new Map<string, Setting>();
  for (const { flag, text } of given) {
    const before = settings.get(flag.name)?.texts ?? [];
    settings.set(flag.name, { flag, texts: together(flag, before, text) });
  }
  for (const [name, { texts }] of settings) if (texts.every((text) => text === '')) settings.delete(name);
  return settings;
}

function together({ value }: ApiServerFlag, before: readonly string[], text: string): readonly string[] {
  if (separate.has(value)) return [...before, text];
  if (!joined.has(value)) return [text];
  return [[...before, text].filter((one) => one !== '').join(',')];
}

/** Returns the value of a flag; absent if the flag was not given. */
const flagValue = (settings: Settings, name: string): string | undefined => settings.get(name)?.texts[0];

/** The output and the input of the run. */
export interface ApiServerHost {
  readonly print: (text: string) => void;
  readonly warn: (line: string) => void;
  /** The stand-in sets its defaults for missing variables. */
  readonly environment: Record<string, string | undefined>;
}

/** The next step: end with an exit code, or serve with arguments of `kindforge serve`. */
export type NextStep = { readonly exit: number } | { readonly serve: readonly string[] };

/** The settings of a server for tests. The environment may change them. */
const defaults: Readonly<Record<string, string>> = {
  KINDFORGE_NAMING: 'kubernetes',
  KINDFORGE_STORAGE: 'memory',
  KINDFORGE_CONTROLLERS: 'none',
  KINDFORGE_HTTP_PORT: '0',
  KINDFORGE_PROJECT: 'none',
  KINDFORGE_QUIET: 'true',
};

/** Reads the arguments of kube-apiserver, and writes a certificate if it needs one. */
export async function readApiServer(args: readonly string[], host: ApiServerHost): Promise<NextStep> {
  const read = readArguments(args, findFlag);
  if (!read.ok) return refuse(read.problem, host);
  const settings = settingsOf(read.given);
  if (flagValue(settings, 'help') === 'true') return end(host, printHelp());
  if (flagValue(settings, 'version') === 'true') return end(host, printVersion());
  const translated = translate(settings, await knownNames(settings, host));
  if (!translated.ok) return refuse(translated.problem, host);
  for (const warning of translated.warnings) host.warn(`kube-apiserver: ${warning}`);
  if (translated.pair) await writePair(translated.pair, settings);
  for (const [name, value] of Object.entries(defaults)) host.environment[name] ??= value;
  return { serve: translated.args };
}

/** Prints the version as kube-apiserver does: `Kubernetes v1.27.0+…`. */
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

/** Loads the known names, only if a flag names some. */
async function knownNames(settings: Settings, { environment }: ApiServerHost): Promise<KnownNames> {
  const named = ['feature-gates', 'disable-admission-plugins', 'admission-control'].some((name) => settings.has(name));
  if (!named) return nothingKnown;
  const { isAdmissionPlugin, isFeatureGate, usualAdmissionPlugins } = await import('../../server/known-names.js');
  const fromEnvironment = environment.KINDFORGE_EMULATED_VERSION ?? '';
  const release = emulate(emulatedOf(settings) ?? (isEmulated(fromEnvironment) ? fromEnvironment : undefined));
  return {
    gate: (name) => isFeatureGate(name, release),
    plugin: isAdmissionPlugin,
    usualPlugins: usualAdmissionPlugins,
  };
}

async function writePair(pair: CertificatePair, settings: Settings): Promise<void> {
  const { writeServingPair } = await import('../../server/transport/given-tls.js');
  const host = flagValue(settings, 'bind-address') ?? '127.0.0.1';
  const serviceRange = flagValue(settings, 'service-cluster-ip-range') ?? '10.0.0.0/24';
  writeServingPair({ ...pair, host, serviceRange });
}

/** The start of the server. */
interface Translation {
  /** Arguments of `kindforge serve`. */
  readonly args: readonly string[];
  /** Flags without effect that users may rely on, a sentence each. */
  readonly warnings: readonly string[];
  /** The files to write a new certificate to; absent if the server has a certificate, or needs none. */
  readonly pair?: CertificatePair;
}

interface CertificatePair {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The names that the server knows. Other names are left out with a warning. */
export interface KnownNames {
  readonly gate: (name: string) => boolean;
  readonly plugin: (name: string) => boolean;
  /** Plugins that run by default. */
  readonly usualPlugins: () => readonly string[];
}

export type Translated = ({ readonly ok: true } & Translation) | { readonly ok: false; readonly problem: string };

const serveFlags: ReadonlyMap<string, Flag> = new Map(
  serveFlagGroups.flatMap(({ flags }): readonly Flag[] => flags).map((flag) => [flag.name, flag]),
);

/** Translates the settings. Refused flags end the program. */
export function translate(settings: Settings, known: KnownNames): Translated {
  for (const { flag } of settings.values()) {
    if (flag.treatment === 'refused') return { ok: false, problem: `--${flag.name} cannot be used: ${flag.about}` };
  }
  const passed = [...settings.values()].filter(({ flag }) => flag.treatment === 'passed');
  const lists = listsOf(settings, known);
  const certificate = certificateOf(settings);
  const emulation = emulationOf(settings);
  return {
    ok: true,
    args: [
      ...passed.flatMap(argumentsOf),
      ...lists.args,
      ...certificate.args,
      ...plainHttp(settings),
      ...logArguments(settings),
      ...emulation.args,
      ...modeOf(settings),
      `--service-cluster-ip-range=${flagValue(settings, 'service-cluster-ip-range') ?? '10.0.0.0/24'}`,
    ],
    warnings: [...[...settings.values()].flatMap(warningOf), ...lists.warnings, ...emulation.warnings],
    ...(certificate.pair ? { pair: certificate.pair } : {}),
  };
}

/** Returns the mode: AlwaysAllow by default, as in kube-apiserver, and none if `--authorization-config` is given. */
function modeOf(settings: Settings): readonly string[] {
  const mode = flagValue(settings, 'authorization-mode');
  if (mode === undefined && flagValue(settings, 'authorization-config') !== undefined) return [];
  return [`--authorization-mode=${mode ?? 'AlwaysAllow'}`];
}

/** Makes arguments of a flag. A switch of kube-apiserver may be a flag with a value in `kindforge serve`. */
function argumentsOf({ flag: { name, value }, texts }: Setting): readonly string[] {
  const isSwitch = value === undefined && serveFlags.get(name)?.value === undefined;
  if (isSwitch) return texts[0] === 'true' ? [`--${name}`] : [];
  return texts.map((text) => `--${name}=${text}`);
}

function warningOf({ flag: { name, treatment, about, harmless }, texts }: Setting): readonly string[] {
  return treatment === 'warned' && texts.join() !== harmless ? [`--${name} is left out: ${about}`] : [];
}

type Lists = Pick<Translation, 'args' | 'warnings'>;

function listsOf(settings: Settings, known: KnownNames): Lists {
  const gates = partsOf(settings, 'feature-gates');
  const off = partsOf(settings, 'disable-admission-plugins');
  const isGate = (part: string): boolean => known.gate(textBefore(part, '='));
  const only = settings.has('admission-control') ? partsOf(settings, 'admission-control') : undefined;
  const others = only ? known.usualPlugins().filter((name) => !only.includes(name)) : [];
  const disabled = [...off.filter(known.plugin), ...others];
  return {
    args: [
      ...(gates.some(isGate) ? [`--feature-gates=${gates.filter(isGate).join()}`] : []),
      ...(disabled.length > 0 ? [`--disable-admission-plugins=${disabled.join()}`] : []),
      ...(only && only.length > 0 ? [`--enable-admission-plugins=${only.join()}`] : []),
    ],
    warnings: [
      ...gates
        .filter((part) => !isGate(part))
        .map((part) => `--feature-gates ${part} is left out: no such gate is known`),
      ...off
        .filter((name) => !known.plugin(name))
        .map((name) => `--disable-admission-plugins ${name} is left out: no such plugin is known`),
    ],
  };
}

/** Returns the release to emulate, as in `1.34` or `kube=1.34`; `undefined` if the flag names no known release. */
const emulatedOf = (settings: Settings): EmulatedVersion | undefined =>
  partsOf(settings, 'emulated-version')
    .map((part) => part.replace(/^(kube=)?v?/, ''))
    .find(isEmulated);

function emulationOf(settings: Settings): Lists {
  const text = flagValue(settings, 'emulated-version');
  const release = emulatedOf(settings);
  if (text === undefined) return { args: [], warnings: [] };
  if (release !== undefined) return { args: [`--emulated-version=${release}`], warnings: [] };
  return { args: [], warnings: [`--emulated-version ${text} is left out: the releases are ${releases.join(', ')}`] };
}

const partsOf = (settings: Settings, name: string): readonly string[] =>
  (flagValue(settings, name) ?? '').split(',').flatMap((part) => part.trim() || []);

/** Finds the certificate in its folder. If it is missing, the caller makes it before the start. */
function certificateOf(settings: Settings): Pick<Translation, 'args' | 'pair'> {
  const folder = flagValue(settings, 'cert-dir');
  if (folder === undefined || flagValue(settings, 'secure-port') === '0') return { args: [] };
  const credentials = `--credentials-dir=${folder}`;
  if (settings.has('tls-cert-file')) return { args: [credentials] };
  const pair = { certFile: join(folder, 'apiserver.crt'), keyFile: join(folder, 'apiserver.key') };
  const args = [credentials, `--tls-cert-file=${pair.certFile}`, `--tls-private-key-file=${pair.keyFile}`];
  return existsSync(pair.certFile) && existsSync(pair.keyFile) ? { args } : { args, pair };
}

function plainHttp(settings: Settings): readonly string[] {
  const port = flagValue(settings, 'insecure-port') ?? '0';
  if (port === '0') return [];
  const host = flagValue(settings, 'insecure-bind-address') ?? '127.0.0.1';
  return [`--http-port=${port}`, `--host=${host}`, '--allow-everyone'];
}

/** Makes the flags about logs. As in kube-apiserver, requests are logged from verbosity 3 on. */
function logArguments(settings: Settings): readonly string[] {
  const format = flagValue(settings, 'logging-format');
  return [
    ...(format === undefined ? [] : [`--log-format=${format}`]),
    ...(Number(flagValue(settings, 'v') ?? '0') >= 3 ? ['--log-requests'] : []),
  ];
}
