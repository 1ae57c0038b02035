/** Makes flags of `kindforge serve` of those that kube-apiserver was given. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { textBefore } from '../../runtime/objects/scan/numbers.js';
import type { Flag } from '../flags/flag.js';
import { serveFlagGroups } from '../flags/serve-flags.js';
import { type Setting, type Settings, textOf } from './settings.js';

/** The start of the server. */
export interface Translation {
  /** Arguments of `kindforge serve`. */
  readonly args: readonly string[];
  /** Omissions that somebody may miss, a sentence each. */
  readonly warnings: readonly string[];
  /** The pair of files that the server is to make its certificate for; absent where it has one, or needs none. */
  readonly pair?: CertificatePair;
}

export interface CertificatePair {
  readonly certFile: string;
  readonly keyFile: string;
}

/** The names that the server knows, for what is only worth a warning. */
export interface KnownNames {
  readonly gate: (name: string) => boolean;
  readonly plugin: (name: string) => boolean;
  /** Plugins that run unless they are switched off. */
  readonly usualPlugins: () => readonly string[];
}

export type Translated = ({ readonly ok: true } & Translation) | { readonly ok: false; readonly problem: string };

const serveFlags: ReadonlyMap<string, Flag> = new Map(
  serveFlagGroups.flatMap(({ flags }): readonly Flag[] => flags).map((flag) => [flag.name, flag]),
);

/** Flags that are refused end it. */
export function translate(settings: Settings, known: KnownNames): Translated {
  for (const { flag } of settings.values()) {
    if (flag.treatment === 'refused') return { ok: false, problem: `--${flag.name} cannot be used: ${flag.about}` };
  }
  const passed = [...settings.values()].filter(({ flag }) => flag.treatment === 'passed');
  const lists = listsOf(settings, known);
  const certificate = certificateOf(settings);
  return {
    ok: true,
    args: [
      ...passed.flatMap(argumentsOf),
      ...lists.args,
      ...certificate.args,
      ...plainHttp(settings),
      ...logArguments(settings),
      `--authorization-mode=${textOf(settings, 'authorization-mode') ?? 'AlwaysAllow'}`,
      `--service-cluster-ip-range=${textOf(settings, 'service-cluster-ip-range') ?? '10.0.0.0/24'}`,
    ],
    warnings: [...[...settings.values()].flatMap(warningOf), ...lists.warnings],
    ...(certificate.pair ? { pair: certificate.pair } : {}),
  };
}

/** A switch of kube-apiserver may be a flag with a value in `kindforge serve`. */
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

const partsOf = (settings: Settings, name: string): readonly string[] =>
  (textOf(settings, name) ?? '').split(',').flatMap((part) => part.trim() || []);

/** The certificate in the folder for certificates; it is made by whoever starts the server where it is not there. */
function certificateOf(settings: Settings): Pick<Translation, 'args' | 'pair'> {
  const folder = textOf(settings, 'cert-dir');
  if (folder === undefined || textOf(settings, 'secure-port') === '0') return { args: [] };
  const credentials = `--credentials-dir=${folder}`;
  if (settings.has('tls-cert-file')) return { args: [credentials] };
  const pair = { certFile: join(folder, 'apiserver.crt'), keyFile: join(folder, 'apiserver.key') };
  const args = [credentials, `--tls-cert-file=${pair.certFile}`, `--tls-private-key-file=${pair.keyFile}`];
  return existsSync(pair.certFile) && existsSync(pair.keyFile) ? { args } : { args, pair };
}

function plainHttp(settings: Settings): readonly string[] {
  const port = textOf(settings, 'insecure-port') ?? '0';
  if (port === '0') return [];
  const host = textOf(settings, 'insecure-bind-address') ?? '127.0.0.1';
  return [`--http-port=${port}`, `--host=${host}`, '--allow-everyone'];
}

/** As in kube-apiserver, requests are logged from verbosity 3 on. */
function logArguments(settings: Settings): readonly string[] {
  const format = textOf(settings, 'logging-format');
  return [
    ...(format === undefined ? [] : [`--log-format=${format}`]),
    ...(Number(textOf(settings, 'v') ?? '0') >= 3 ? ['--log-requests'] : []),
  ];
}
