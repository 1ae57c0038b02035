/**
 * Generation updates the lock: it writes new numbers, refuses to break old ones, and ignores a folder without a lock.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createGenerator } from '../../../../generator/commands/generate.js';
import { protoEmitter } from '../../../../generator/emit/proto.js';
import { testFolder } from '../../../support/scratch-folder.js';

let folder = '';
const at = (path: string): string => join(folder, path);
const lockFile = (): string => at('schemas/lock/protobuf.json');
const proto = (): string => readFileSync(at('out/proto/example.com/v1.proto'), 'utf8');

beforeEach(() => {
  folder = testFolder();
  mkdirSync(at('schemas/lock'), { recursive: true });
});

function define(fields: string): void {
  writeFileSync(
    at('schemas/widgets.yaml'),
    `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
  scope: Cluster
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, properties: { ${fields} } } }
`,
  );
}

const generator = (check = false) =>
  createGenerator({ schemas: at('schemas'), out: at('out'), check, emitters: [protoEmitter] });

describe('generation', () => {
  it('writes new numbers into the lock and keeps old ones', () => {
    define('b: { type: string }');
    const generate = generator();
    expect(generate.run().diagnostics).toEqual([]);
    expect(readFileSync(lockFile(), 'utf8')).toContain('"b": [2, "string"]');
    define('a: { type: string }, b: { type: string }');
    generate.run();
    expect(proto()).toContain('optional string b = 2;');
    expect(proto()).toContain('optional string a = 3;');
    expect(generator().run().outcome?.differences).toEqual([]);
  });

  it('refuses changes that would break clients, at the line in the lock', () => {
    define('a: { type: string }');
    generator().run();
    const before = readFileSync(lockFile(), 'utf8');
    define('a: { type: boolean }');
    const { diagnostics, outcome } = generator().run();
    expect(outcome).toBeUndefined();
    expect(diagnostics).toEqual([
      {
        file: 'lock/protobuf.json',
        line: before.split('\n').findIndex((line) => line.includes('"a":')) + 1,
        column: 1,
        code: 'KF5002',
        severity: 'error',
        message: 'field a of example.com/v1#/Widget is string with number 2 for all clients, and cannot become bool',
        suggestion: 'give the field that has the new type a new name',
      },
    ]);
    expect(readFileSync(lockFile(), 'utf8')).toBe(before);
  });

  it('refuses a lock that cannot be read, until it is restored', () => {
    define('a: { type: string }');
    writeFileSync(lockFile(), '{');
    const generate = generator();
    expect(generate.run().diagnostics.map(({ code }) => code)).toEqual(['KF5001']);
    expect(generate.run().diagnostics.map(({ code }) => code)).toEqual(['KF5001']);
    rmSync(lockFile());
    expect(generate.run().diagnostics).toEqual([]);
  });

  it('keeps numbers that another run has written into the lock', () => {
    define('a: { type: string }');
    const generate = generator();
    generate.run();
    writeFileSync(lockFile(), readFileSync(lockFile(), 'utf8').replace('"a": [2', '"a": [9'));
    generate.run();
    expect(proto()).toContain('optional string a = 9;');
  });

  it('with check, reports a lock that is behind', () => {
    define('a: { type: string }');
    generator().run();
    expect(generator(true).run().diagnostics).toEqual([]);
    define('a: { type: string }, b: { type: string }');
    expect(
      generator(true)
        .run()
        .diagnostics.map(({ code }) => code),
    ).toEqual(['KF5003']);
    expect(readFileSync(lockFile(), 'utf8')).not.toContain('"b"');
  });

  it('writes no lock for definitions without a folder for it', () => {
    rmSync(at('schemas/lock'), { recursive: true });
    define('a: { type: string }');
    const generate = generator();
    generate.run();
    expect(existsSync(at('schemas/lock'))).toBe(false);
    expect(proto()).toContain('optional string a = 2;');
    define('b: { type: string }, a: { type: string }');
    generate.run();
    expect(proto()).toContain('optional string a = 3;');
  });
});
