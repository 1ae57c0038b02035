/** Flags of kube-apiserver become flags of `kindforge serve`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findFlag } from '../../../../bin/envtest/api-server-flags.js';
import { readArguments } from '../../../../bin/envtest/read-arguments.js';
import { type KnownNames, settingsOf, type Translated, translate } from '../../../../bin/envtest/run-api-server.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const known: KnownNames = {
  gate: (name) => name === 'Known',
  plugin: (name) => ['Usual', 'Other'].includes(name),
  usualPlugins: () => ['Usual', 'Other'],
};

function translated(...args: readonly string[]): Translated {
  const read = readArguments(args, findFlag);
  if (!read.ok) throw new Error(read.problem);
  return translate(settingsOf(read.given), known);
}

/** Returns the arguments besides the constant ones. */
function added(...args: readonly string[]): readonly string[] {
  const found = translated(...args);
  if (!found.ok) throw new Error(found.problem);
  expect(found.warnings).toEqual([]);
  return found.args.filter((arg) => !/^--(authorization-mode|service-cluster-ip-range)=/.test(arg));
}

const folder = scratchFolder();

describe('arguments', () => {
  it('are the defaults of kube-apiserver if none are given', () =>
    expect(translated()).toEqual({
      ok: true,
      args: ['--authorization-mode=AlwaysAllow', '--service-cluster-ip-range=10.0.0.0/24'],
      warnings: [],
    }));

  it.each([
    [
      ['--secure-port=1', '--bind-address', '::1'],
      ['--secure-port=1', '--bind-address=::1'],
    ],
    [['--anonymous-auth=false'], ['--anonymous-auth=false']],
    [['--anonymous-auth'], ['--anonymous-auth=true']],
    [['--enable-bootstrap-token-auth'], ['--enable-bootstrap-token-auth']],
    [['--enable-bootstrap-token-auth=false'], []],
    [
      ['--service-account-issuer=a', '--service-account-issuer=b'],
      ['--service-account-issuer=a', '--service-account-issuer=b'],
    ],
    [['--runtime-config=a=true', '--runtime-config=b'], ['--runtime-config=a=true,b']],
    [['--etcd-servers=http://127.0.0.1:1', '--allow-privileged', '--goaway-chance=0.1'], []],
    [['--feature-gates=Known=true'], ['--feature-gates=Known=true']],
    [['--disable-admission-plugins='], []],
    [['--admission-control=Other'], ['--disable-admission-plugins=Usual', '--enable-admission-plugins=Other']],
    [['--insecure-port=0', '--insecure-bind-address=127.0.0.1'], []],
    [['--insecure-port=1'], ['--http-port=1', '--host=127.0.0.1', '--allow-everyone']],
    [
      ['--logging-format=json', '-v=3'],
      ['--log-format=json', '--log-requests'],
    ],
    [['-v=2', '--logtostderr', '--vmodule=a=1'], []],
  ])('%j', (given, expected) => expect(added(...given)).toEqual(expected));

  it('name the certificate of the folder, and make it if it does not exist', () => {
    const pair = { certFile: join(folder, 'apiserver.crt'), keyFile: join(folder, 'apiserver.key') };
    const args = [
      `--credentials-dir=${folder}`,
      `--tls-cert-file=${pair.certFile}`,
      `--tls-private-key-file=${pair.keyFile}`,
    ];
    expect(translated(`--cert-dir=${folder}`)).toMatchObject({ args: expect.arrayContaining(args), pair });
    for (const file of Object.values(pair)) writeFileSync(file, '');
    expect(translated(`--cert-dir=${folder}`)).not.toHaveProperty('pair');
    expect(added(`--cert-dir=${folder}`)).toEqual(args);
    const own = ['--tls-cert-file=a', '--tls-private-key-file=b'];
    expect(added(`--cert-dir=${folder}`, ...own)).toEqual([...own, `--credentials-dir=${folder}`]);
    expect(added(`--cert-dir=${folder}`, '--secure-port=0')).toEqual(['--secure-port=0']);
  });
});

describe('notices about missing features', () => {
  it.each([
    [['--event-ttl=1m'], '--event-ttl is left out: events stay until they are deleted'],
    [['--allow-privileged=false'], '--allow-privileged is left out: privileged containers are allowed in any case'],
    [['--feature-gates=Later=true'], '--feature-gates Later=true is left out: no such gate is known'],
    [['--disable-admission-plugins=Later'], '--disable-admission-plugins Later is left out: no such plugin is known'],
  ])('%j', (given, warning) => expect(translated(...given)).toMatchObject({ ok: true, warnings: [warning] }));

  it('is refused if it would be dangerous to leave it out', () =>
    expect(translated('--basic-auth-file=a')).toEqual({
      ok: false,
      problem: '--basic-auth-file cannot be used: use --token-auth-file',
    }));
});
