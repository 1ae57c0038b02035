module.exports = {
  shop: {
    input: './shop.json',
    output: { target: './shop.ts', client: 'fetch', baseUrl: 'http://127.0.0.1:8080' },
  },
};
