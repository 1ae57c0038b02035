import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPage, PageLinks } from '../../../../runtime/http/links.js';

const prefix = '/api/v1/namespaces/n/pods/p/proxy';
const place = { prefix, hosts: ['10.0.0.1:80', 'server.example'] };

function rewritten(page: string | Buffer, pieces: readonly number[] = []): string {
  const bytes = Buffer.from(page);
  const links = new PageLinks(place);
  const cuts = [0, ...pieces.map((at) => at % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const written = cuts.slice(1).map((end, i) => links.write(bytes.subarray(cuts[i], end)));
  return Buffer.concat([...written, links.end()]).toString();
}

const changed: readonly (readonly [page: string, expected: string])[] = [
  ['<a href="/x">', `<a href="${prefix}/x">`],
  ["<A  HREF = '/x?a=1&amp;b'>", `<A  HREF = '${prefix}/x?a=1&amp;b'>`],
  ['<a class=b href=/x/>t</a>', `<a class=b href=${prefix}/x/>t</a>`],
  ['<a\nhref="/x"\ttitle="> <a href=">', `<a\nhref="${prefix}/x"\ttitle="> <a href=">`],
  ['<a href="http://10.0.0.1:80/x">', `<a href="${prefix}/x">`],
  ['<a href="//server.example/x#y">', `<a href="${prefix}/x#y">`],
  ['<img src="/a.png" longdesc="/b"/>', `<img src="${prefix}/a.png" longdesc="${prefix}/b"/>`],
  [
    '<form method=post action="/save"><input formaction="/other">',
    `<form method=post action="${prefix}/save"><input formaction="${prefix}/other">`,
  ],
  [
    '<script src="/a.js"></script><link href=/a.css>',
    `<script src="${prefix}/a.js"></script><link href=${prefix}/a.css>`,
  ],
  ['<base href="/"><body background="/b.png">', `<base href="${prefix}/"><body background="${prefix}/b.png">`],
  ['<title></title><a href="/x">', `<title></title><a href="${prefix}/x">`],
  ['<!----><!--><a href="/x">', `<!----><!--><a href="${prefix}/x">`],
  ['<a disabled href="/x" href="/y">', `<a disabled href="${prefix}/x" href="${prefix}/y">`],
  ['1 < 2 <a title=it\'s href="/x">', `1 < 2 <a title=it's href="${prefix}/x">`],
];

const kept = [
  '<a href="x">',
  '<a href="">',
  '<a href="#x">',
  '<img usemap="#m">',
  '<a href="http://example.com/x">',
  '<a href="mailto:a@b">',
  `<a href="${prefix}/x">`,
  '<p href="/x" src="/y">',
  '<a title="/x" data-href="/y">',
  '<!-- <a href="/x"> -->',
  '<script>"<a href=\'/x\'>"</script>',
  '<style><a href="/x"></style>',
  '<textarea><a href="/x"></textareas></textarea>',
  '<a href="/x',
  '<a href=/x',
  '<',
  '<a',
  '<!-',
  '<!-- <a href="/x">',
  '</a href="x">',
  'no markup at all',
];

describe('links of a page', () => {
  it.each(changed)('%s stay below the path', (page, expected) => expect(rewritten(page)).toBe(expected));

  it.each(kept)('%s do not change', (page) => expect(rewritten(page)).toBe(page));

  it('are the same in any number of pieces of the page', () => {
    const whole = [...changed.map(([page]) => page), ...kept.slice(0, -7)].join('é ');
    const expected = rewritten(whole);
    fc.assert(
      fc.property(fc.array(fc.nat(whole.length * 2), { maxLength: 30 }), (pieces) => {
        expect(rewritten(whole, pieces)).toBe(expected);
      }),
    );
  });

  it('leave all other bytes unchanged', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.array(fc.nat()), (bytes, pieces) => {
        const page = Buffer.concat([
          Buffer.from('<p title="\u00a0à">'),
          bytes.map((byte) => (byte === 0x2f ? 0x2e : byte)),
        ]);
        expect(Buffer.from(rewritten(page, pieces))).toEqual(Buffer.from(page.toString()));
      }),
    );
  });

  it('hold no more than one tag of 64 KiB, and pass the rest unchanged', () => {
    const links = new PageLinks(place);
    const piece = Buffer.from(`<a title="${'x'.repeat(1000)}`);
    let passed = links.write(piece).length;
    for (let i = 0; i < 100; i++) passed += links.write(Buffer.from('x'.repeat(1000))).length;
    expect(passed).toBe(piece.length + 100_000);
    expect(links.write(Buffer.from('"><a href="/x">')).toString()).toBe('"><a href="/x">');
  });

  it('take time in proportion to the page', () => {
    for (const unit of ['<', '<a ', '<a href', '<a "', "<a href='", '<!--', '<script>', '<a b =', '<a \n']) {
      const began = performance.now();
      rewritten(
        unit.repeat(400_000),
        Array.from({ length: 100 }, (_, i) => i * 16_000),
      );
      expect(performance.now() - began, unit).toBeLessThan(5000);
    }
  }, 60_000);
});

it('a prefix with special characters does not leave its attribute', () => {
  const links = new PageLinks({ prefix: `/a"'<>&`, hosts: [] });
  expect(links.write(Buffer.from('<a href="/x">')).toString()).toBe('<a href="/a&#34;&#39;&#60;&#62;&#38;/x">');
});

it.each([
  ['text/html', true],
  ['Text/HTML; charset=utf-8', true],
  ['text/html;charset="windows-1252"', true],
  ['text/html; charset=iso-2022-jp', false],
  ['text/html; charset="ISO-2022-KR"', false],
  ['text/plain', false],
  ['application/xhtml+xml', false],
  ['text/html-sandboxed', false],
  ['', false],
])('of %j, links are rewritten: %j', (type, expected) => expect(isPage(type)).toBe(expected));
