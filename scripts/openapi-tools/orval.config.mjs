export default {
  svc: {
    input: '../../contract/openapi.json',
    output: {
      target: '.build/generated/orval.ts',
      client: 'fetch',
      override: { mutator: { path: 'programs/orval-fetch.ts', name: 'svcFetch', extension: '.js' } },
    },
  },
};
