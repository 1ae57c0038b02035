/** Reads `postgres://…`, and prints it. */
import { describe, expect, it } from 'vitest';
import { placeInPostgres, readPostgres, withoutPassword } from '../../../../server/text/postgres.js';

describe('storage in PostgreSQL', () => {
  it.each([
    'postgres://anna@db.example.com:5432/shop?schema=kindforge&sslmode=verify-full',
    'postgresql://anna:s%40crt@[::1]:5432,db2/shop?target_session_attrs=primary',
    'postgres:///shop?host=/run/postgresql',
    'postgres://',
  ])('keeps %s unchanged', (url) => expect(readPostgres(url)).toEqual({ ok: true, value: { url } }));

  it('removes the file of the password from the URL', () => {
    const value = { url: 'postgres://anna@db/shop?schema=a&sslmode=require', passwordFile: '/run/a b' };
    expect(readPostgres('postgres://anna@db/shop?schema=a&password-file=%2Frun%2Fa+b&sslmode=require')).toEqual({
      ok: true,
      value,
    });
    expect(readPostgres('postgres://anna@db/shop?password-file=p')).toMatchObject({
      value: { url: 'postgres://anna@db/shop', passwordFile: 'p' },
    });
  });

  it.each([
    'postgres://anna:secret@x@db/shop',
    'postgres://anna:sec/ret@db/shop',
    'postgres://anna:sec?ret@db/shop',
    'postgres://anna:sec#ret@db/shop',
    'postgres://db/shop?password-file=secret&password-file=secret',
  ])('refuses %s without repeating it', (text) => {
    const read = readPostgres(text);
    expect(read.ok ? '' : read.failure.message).toMatch(/must look like|is given twice/);
    expect(JSON.stringify(read)).not.toMatch(/sec/);
  });

  it.each([
    ['postgres://anna:secret@db/shop?schema=a', 'postgres://anna:***@db/shop?schema=a'],
    ['postgresql://anna@db:5432/shop?options=a@b', 'postgresql://anna@db:5432/shop?options=a@b'],
    ['postgres://db:5432/shop?application_name=a@b', 'postgres://db:5432/shop?application_name=a@b'],
    ['postgres://db/shop?password=secret&schema=a', 'postgres://db/shop?password=***&schema=a'],
    ['postgres://db/shop?user=anna&sslpassword=secret', 'postgres://db/shop?user=anna&sslpassword=***'],
    ['postgres://anna:sec/ret@db/shop', 'postgres://anna:***@db/shop'],
    ['postgres://anna:se?c@ret@db/shop', 'postgres://anna:***@db/shop'],
    ['lmdb:data', 'lmdb:data'],
  ])('prints %s as %s', (text, shown) => expect(withoutPassword(text)).toBe(shown));

  it('recognizes the same database under another login', () => {
    const place = (url: string, schema?: string) => placeInPostgres({ url, schema });
    expect(place('postgres://anna:a@db/shop')).toBe(place('postgresql://ben@db/shop?schema=kindforge&sslmode=require'));
    expect(place('postgres://db/shop')).toBe(place('postgres://db/shop?schema=other', 'kindforge'));
    expect(place('postgres://db/shop')).not.toBe(place('postgres://db/shop?schema=other'));
    expect(place('postgres:///shop?host=a')).not.toBe(place('postgres:///shop?host=b'));
  });
});
