/** Pages that may open WebSockets. */
import { describe, expect, it } from 'vitest';
import { allowsOrigin } from '../../../../runtime/access/page-origin.js';

const allowed = ['https://console.example.com'];

describe('a WebSocket', () => {
  it.each([
    [undefined, '127.0.0.1:8080'],
    ['http://127.0.0.1:8080', '127.0.0.1:8080'],
    ['http://localhost:5173', '127.0.0.1:8080'],
    ['http://[::1]:5173', 'localhost:8080'],
    ['http://app.localhost', '[::1]:8080'],
    ['https://api.example.com', 'api.example.com'],
    ['https://api.example.com', 'api.example.com:443'],
    ['https://api.example.com:8443', 'API.example.com:8443'],
    ['https://console.example.com', 'api.example.com'],
  ])('may be opened by a page of %s at %s', (origin, host) => {
    expect(allowsOrigin(origin, host, allowed)).toBe(true);
  });

  it.each([
    ['https://evil.example', '127.0.0.1:8080'],
    ['http://127.0.0.1.evil.example', '127.0.0.1:8080'],
    ['http://localhost.evil.example', 'localhost:8080'],
    ['http://localhost:5173', 'api.example.com'],
    ['https://api.example.com:8443', 'api.example.com'],
    ['http://api.example.com', 'api.example.com:443'],
    ['https://console.example.com.evil.example', 'api.example.com'],
    ['null', '127.0.0.1:8080'],
    ['file://', '127.0.0.1:8080'],
    ['', '127.0.0.1:8080'],
    ['http://127.0.0.1:8080', undefined],
    ['http://127.0.0.1:8080', '::::'],
  ])('may not be opened by a page of %j at %s', (origin, host) => {
    expect(allowsOrigin(origin, host, allowed)).toBe(false);
  });
});
