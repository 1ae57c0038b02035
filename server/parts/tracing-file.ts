/** Reads a `TracingConfiguration` file: the destination of traces and the sampling rate. */
import type { TracerProvider } from '@opentelemetry/api';
import { parseYaml } from '../../generator/load/parse-yaml.js';
import { findOffset, indexPositions } from '../../generator/load/positions.js';
import { isObject } from '../../runtime/objects/guards.js';
import { lineCounter } from '../../runtime/objects/lines.js';
import { didYouMean } from '../../runtime/objects/suggest.js';

/** The destination of traces, and the sampling rate for traces without a client's decision. */
export interface TracingSettings {
  /** A collector that accepts OTLP over gRPC: `host:port`, or `unix:///path`. */
  readonly endpoint: string;
  readonly samplingRatePerMillion: number;
}

/** The settings, or all mistakes of the file, each with its line and field. */
export type TracingFileResult =
  | { readonly ok: true; readonly settings: TracingSettings }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The accepted `apiVersion`s, in every naming. */
const apiVersions: readonly string[] = ['platform', 'k8s'].flatMap((domain) =>
  ['v1beta1', 'v1alpha1'].map((version) => `apiserver.config.${domain}.io/${version}`),
);
const fields = ['apiVersion', 'kind', 'endpoint', 'samplingRatePerMillion'];
const usualEndpoint = 'localhost:4317';
const most = 1_000_000;

/** Parses the file. `file` is its name, for messages. */
export function readTracingFile(file: string, text: string): TracingFileResult {
  const { documents, problems: mistakes } = parseYaml(text);
  const problems = mistakes.map(({ offset, message }) => `${placeIn(file, text, offset)}: ${message}`);
  if (problems.length > 0) return { ok: false, problems };
  const [positions] = indexPositions(text);
  const refuse = (field: string, problem: string, at: 'key' | 'value' = 'value'): void => {
    const offset = positions === undefined || field === '' ? 0 : findOffset(positions, [field], at);
    problems.push(`${placeIn(file, text, offset)}: ${field === '' ? '' : `${field}: `}${problem}`);
  };
  const settings = readSettings(documents, refuse);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings };
}

type Refuse = (field: string, problem: string, at?: 'key' | 'value') => void;

function readSettings([document, more]: readonly unknown[], refuse: Refuse): TracingSettings {
  const usual = { endpoint: usualEndpoint, samplingRatePerMillion: 0 };
  if (more !== undefined) refuse('', 'there is more than one document; leave one');
  const given: unknown = document;
  if (!isObject(given)) {
    refuse('', `begin it with apiVersion: ${apiVersions[0]} and kind: TracingConfiguration`);
    return usual;
  }
  const { apiVersion, kind, endpoint = usual.endpoint, samplingRatePerMillion = 0 } = given;
  if (typeof apiVersion !== 'string' || !apiVersions.includes(apiVersion)) {
    refuse('apiVersion', `${JSON.stringify(apiVersion ?? '')}: must be one of ${apiVersions.join(', ')}`);
  }
  if (kind !== 'TracingConfiguration') refuse('kind', `${JSON.stringify(kind ?? '')}: must be TracingConfiguration`);
  for (const key of Object.keys(given)) {
    if (!fields.includes(key))
      refuse(key, `unknown field; ${didYouMean(key, fields) ?? `use ${fields.join(', ')}`}`, 'key');
  }
  return { endpoint: readEndpoint(endpoint, refuse), samplingRatePerMillion: readRate(samplingRatePerMillion, refuse) };
}

/** Checks an endpoint. As in the reference, it is a name with a port, or a URI with a gRPC scheme. */
function readEndpoint(value: unknown, refuse: Refuse): string {
  const text = typeof value === 'string' ? value : '';
  const [, scheme = 'dns', rest = ''] = /^(?:([a-z-]+):(?=\/\/))?(.*)$/.exec(text) ?? [];
  if (scheme === 'unix') return text;
  const address = rest.replace(/^\/{0,3}/, '');
  if (scheme === 'dns' && /^[^/\s]+:\d{1,5}$/.test(address) && URL.canParse(`http://${address}`)) return address;
  refuse('endpoint', `${JSON.stringify(value)}: must be the address of a collector, such as ${usualEndpoint}`);
  return usualEndpoint;
}

function readRate(value: unknown, refuse: Refuse): number {
  const rate = typeof value === 'bigint' ? Number(value) : value;
  if (typeof rate === 'number' && Number.isInteger(rate) && rate >= 0 && rate <= most) return rate;
  refuse('samplingRatePerMillion', `${JSON.stringify(rate)} is not a whole number from 0 to ${most}`);
  return 0;
}

const placeIn = (file: string, text: string, offset: number): string => {
  const { line, column } = lineCounter(text)(offset);
  return `${file}:${line}:${column}`;
};

/** A tracing configuration file, or your own provider, which stays open when the server stops. */
export type TracingOption =
  | {
      /** The path of a `TracingConfiguration` in YAML. */
      readonly configFile: string;
    }
  | { readonly tracerProvider: TracerProvider };
