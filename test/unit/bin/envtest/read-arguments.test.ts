import { describe, expect, it } from 'vitest';
import { findFlag } from '../../../../bin/envtest/api-server-flags.js';
import { readArguments } from '../../../../bin/envtest/read-arguments.js';
import { settingsOf } from '../../../../bin/envtest/run-api-server.js';

const read = (...args: readonly string[]): unknown => {
  const found = readArguments(args, findFlag);
  if (!found.ok) return found.problem;
  return Object.fromEntries([...settingsOf(found.given)].map(([name, { texts }]) => [name, texts]));
};

describe('arguments that are accepted', () => {
  it.each([
    [['--secure-port=6443'], { 'secure-port': ['6443'] }],
    [['--secure-port', '6443'], { 'secure-port': ['6443'] }],
    [['--secure_port=6443'], { 'secure-port': ['6443'] }],
    [['--cert-dir=a=b'], { 'cert-dir': ['a=b'] }],
    [['--cert-dir=', '--feature-gates=', '--service-account-key-file='], {}],
    [['--cert-dir', '--profiling'], { 'cert-dir': ['--profiling'] }],
    [['--allow-privileged', '--profiling=0'], { 'allow-privileged': ['true'], profiling: ['false'] }],
    [['--allow-privileged=T'], { 'allow-privileged': ['true'] }],
    [['-v=4'], { v: ['4'] }],
    [['-v', '4'], { v: ['4'] }],
    [['-v4'], { v: ['4'] }],
    [['--v=4', '--logtostderr'], { v: ['4'], logtostderr: ['true'] }],
    [['-h'], { help: ['true'] }],
    [['', '--v=1', ''], { v: ['1'] }],
    [['--v=1', '--'], { v: ['1'] }],
  ])('%j', (args, settings) => expect(read(...args)).toEqual(settings));

  it('repeated flags are combined by the kind of their value', () => {
    expect(
      read(
        '--secure-port=1',
        '--secure-port=2',
        '--disable-admission-plugins=A',
        '--disable-admission-plugins=',
        '--disable-admission-plugins=B,C',
        '--feature-gates=A=true',
        '--feature-gates=B=false',
        '--service-account-issuer=https://a',
        '--service-account-issuer=https://b',
      ),
    ).toEqual({
      'secure-port': ['2'],
      'disable-admission-plugins': ['A,B,C'],
      'feature-gates': ['A=true,B=false'],
      'service-account-issuer': ['https://a', 'https://b'],
    });
  });
});

describe('arguments that are refused', () => {
  it.each([
    [['--allow-everything'], 'unknown flag: --allow-everything'],
    [['--allow-everything=true'], 'unknown flag: --allow-everything'],
    [['-x'], "unknown shorthand flag: 'x' in -x"],
    [['--cert-dir'], 'flag needs an argument: --cert-dir'],
    [['-v'], 'flag needs an argument: -v'],
    [['--profiling=maybe'], 'invalid argument "maybe" for "--profiling" flag'],
    [['----profiling'], 'bad flag syntax: ----profiling'],
    [['--=1'], 'bad flag syntax: --=1'],
    [['serve'], '"kube-apiserver" does not take any arguments, got "serve"'],
    [['--allow-privileged', 'true'], '"kube-apiserver" does not take any arguments, got "true"'],
    [['--', 'a', 'b'], '"kube-apiserver" does not take any arguments, got "a b"'],
    [['-'], '"kube-apiserver" does not take any arguments, got "-"'],
  ])('%j', (args, problem) => expect(read(...args)).toBe(problem));
});
