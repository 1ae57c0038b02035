import { describe, expect, it } from 'vitest';
import { readTracingFile } from '../../../../server/parts/tracing-file.js';

const head = 'apiVersion: apiserver.config.platform.io/v1beta1\nkind: TracingConfiguration\n';

describe('a file of traces', () => {
  it.each<[string, string, number]>([
    ['', 'localhost:4317', 0],
    ['endpoint: collector.example.com:4317\nsamplingRatePerMillion: 100\n', 'collector.example.com:4317', 100],
    ['endpoint: dns:///collector:4317\n', 'collector:4317', 0],
    ['endpoint: "[::1]:4317"\n', '[::1]:4317', 0],
    ['endpoint: unix:///run/collector.sock\n', 'unix:///run/collector.sock', 0],
    ['samplingRatePerMillion: 1000000\n', 'localhost:4317', 1_000_000],
  ])('%j', (text, endpoint, samplingRatePerMillion) =>
    expect(readTracingFile('t.yaml', head + text)).toEqual({
      ok: true,
      settings: { endpoint, samplingRatePerMillion },
    }),
  );

  it.each(['apiserver.config.k8s.io/v1beta1', 'apiserver.config.k8s.io/v1alpha1'])('may be called %s, too', (name) =>
    expect(readTracingFile('t.yaml', `{"apiVersion":"${name}","kind":"TracingConfiguration"}`)).toHaveProperty(
      'ok',
      true,
    ),
  );

  it.each<[string, string, string]>([
    ['an unknown field', `${head}samplingRate: 1\n`, 't.yaml:3:1: samplingRate: unknown field; use apiVersion, kind, '],
    ['a field twice', `${head}endpoint: a:1\nendpoint: b:1\n`, 't.yaml:4:1: '],
    [
      'a rate below nothing',
      `${head}samplingRatePerMillion: -1\n`,
      't.yaml:3:25: samplingRatePerMillion: -1 is not a whole',
    ],
    [
      'a rate above a million',
      `${head}samplingRatePerMillion: 1000001\n`,
      't.yaml:3:25: samplingRatePerMillion: 1000001',
    ],
    ['a rate of text', `${head}samplingRatePerMillion: "1"\n`, 't.yaml:3:25: samplingRatePerMillion: "1"'],
    ['an endpoint without a port', `${head}endpoint: collector\n`, 't.yaml:3:11: endpoint: "collector": must be th'],
    ['an endpoint of another scheme', `${head}endpoint: http://a:4317\n`, 't.yaml:3:11: endpoint: "http://a:4317"'],
    ['an endpoint that is a number', `${head}endpoint: 4317\n`, 't.yaml:3:11: endpoint: 4317'],
    [
      'another version',
      'apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\n',
      't.yaml:1:13: apiVersion: ',
    ],
    ['another kind', `${head.replace('Tracing', 'Egress')}`, 't.yaml:2:7: kind: "EgressConfiguration": must be'],
    ['no mapping', '- a\n', 't.yaml:1:1: begin it with apiVersion: apiserver.config.platform.io/v1beta1'],
    ['nothing', '', 't.yaml:1:1: begin it with'],
    ['no YAML', `${head}endpoint: [\n`, 't.yaml:'],
    ['two documents', `${head}---\n${head}`, 't.yaml:1:1: there is more than one document'],
  ])('%s is reported with its place', (_what, text, start) => {
    const read = readTracingFile('t.yaml', text);
    expect(read.ok ? [] : read.problems.map((problem) => problem.slice(0, start.length))).toEqual([start]);
  });
});
