/**
 * Measures expressions: the same rules on the same objects, compiled by the engine, and evaluated by two libraries.
 *
 *   node --import tsx bench/cel.mjs [--seconds 0.5]
 *
 * Each rule is compiled once and evaluated again and again on objects in turn, which every engine is given in the form
 * that it takes at once. The engine counts costs meanwhile; the libraries do not.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { celEnv, parse, plan } from '@bufbuild/cel';
import { strings } from '@bufbuild/cel/ext';
import { Environment as OtherEnvironment } from '@marcbachmann/cel-js';
import { compileExpression, dataTypeOf, Environment, laterEnvironment } from '../runtime/cel/index.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '0.5' } } });
const time = Number(values.seconds) * 1000;

const text = { type: 'string' };
const integer = { type: 'integer' };
const schema = {
  type: 'object',
  properties: {
    replicas: integer,
    minReplicas: integer,
    maxReplicas: integer,
    name: text,
    image: text,
    tags: { type: 'array', items: text },
    ports: {
      type: 'array',
      items: { type: 'object', properties: { name: text, port: integer, protocol: text } },
    },
    labels: { type: 'object', additionalProperties: text },
    strategy: { type: 'object', properties: { type: text, maxSurge: integer } },
  },
};

const rules = [
  'self.replicas >= self.minReplicas && self.replicas <= self.maxReplicas',
  'has(self.strategy) && has(self.strategy.maxSurge) ? self.strategy.maxSurge > 0 : true',
  `self.name.startsWith('web-') && !self.name.endsWith('-') && size(self.name) <= 63`,
  'self.ports.all(p, p.port > 0 && p.port < 65536)',
  `self.ports.exists(p, p.name == 'http' && p.protocol in ['TCP', 'UDP'])`,
  'self.ports.all(p, self.ports.exists_one(q, q.name == p.name))',
  `self.labels.all(k, k.size() < 64 && self.labels[k] != '')`,
  `self.tags.filter(t, t.contains('a')).map(t, t + '!').size() < 10`,
  `self.image.matches('^[a-z0-9./-]+:[a-z0-9.-]+$')`,
  'self.replicas * 2 + self.maxReplicas - self.minReplicas * 3 < 1000',
];

const objects = Array.from({ length: 16 }, (_, i) => ({
  replicas: 3 + i,
  minReplicas: 1,
  maxReplicas: 40,
  name: `web-${i}`,
  image: `registry.example.com/shop/web:1.${i}.0`,
  tags: ['alpha', 'beta', 'gamma', `t${i}`],
  ports: [
    { name: 'http', port: 8080 + i, protocol: 'TCP' },
    { name: 'metrics', port: 9090, protocol: 'TCP' },
    { name: 'admin', port: 9091, protocol: 'TCP' },
  ],
  labels: { app: 'web', tier: 'front', instance: `i${i}` },
  strategy: { type: 'Rolling', maxSurge: 1 },
}));

/** Both libraries take whole numbers as bigint. */
const withBigints = (value) => {
  if (typeof value === 'number') return BigInt(value);
  if (Array.isArray(value)) return value.map(withBigints);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withBigints(item)]));
};

const data = dataTypeOf(schema, 'self');
const environment = new Environment({ ...laterEnvironment, variables: { self: { type: data.type, data } } });
const plainInputs = objects.map((self) => ({ self }));
const bigintInputs = objects.map((self) => ({ self: withBigints(self) }));

const engines = {
  engine(rule) {
    const { expression } = compileExpression(rule, environment);
    return plainInputs.map((input) => () => expression.evaluate(input).value);
  },
  '@bufbuild/cel': (rule) => {
    const env = celEnv({ funcs: strings });
    const run = plan(env, parse(rule));
    return bigintInputs.map((input) => () => run(input));
  },
  '@marcbachmann/cel-js': (rule) => {
    const run = new OtherEnvironment().registerVariable('self', 'dyn').parse(rule);
    return bigintInputs.map((input) => () => run(input));
  },
};

/** Evaluations in a second, after as much time of warming up. */
const rate = (calls) => {
  const during = (limit) => {
    let count = 0;
    const start = performance.now();
    let now = start;
    while (now - start < limit) {
      for (let i = 0; i < 64; i++) calls[i % calls.length]();
      count += 64;
      now = performance.now();
    }
    return (count / (now - start)) * 1000;
  };
  during(time);
  return during(time);
};

const logs = new Map();
console.log(['rule', ...Object.keys(engines), 'ratios'].join(' | '));
for (const rule of rules) {
  const rates = Object.entries(engines).map(([name, prepare]) => {
    try {
      const calls = prepare(rule);
      const wrong = calls.find((call) => call() !== true);
      if (wrong !== undefined) throw new Error(`it yields ${wrong()}`);
      return rate(calls);
    } catch (error) {
      console.error(`${name} cannot evaluate ${rule}: ${error.message}`);
      return undefined;
    }
  });
  const [own, ...others] = rates;
  const ratios = others.map((other) => (other === undefined ? undefined : own / other));
  for (const [i, ratio] of ratios.entries())
    if (ratio !== undefined) logs.set(i, [...(logs.get(i) ?? []), Math.log(ratio)]);
  const shown = rates.map((one) => (one === undefined ? '–' : Math.round(one).toLocaleString('en')));
  console.log([rule, ...shown, ratios.map((ratio) => ratio?.toFixed(1) ?? '–').join(', ')].join(' | '));
}
const means = [...logs.values()].map((all) => Math.exp(all.reduce((sum, one) => sum + one, 0) / all.length).toFixed(1));
console.log(`geometric means of the ratios: ${means.join(', ')}`);
