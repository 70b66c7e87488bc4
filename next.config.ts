import type { NextConfig } from 'next';

const config: NextConfig = {
  reactStrictMode: true,
  poweredByHeader: false,
  devIndicators: false,
  agentRules: false,
  // `npm run verify` checks the types of the whole tree; checking them again would double the wait for the first page.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['pino', 'prom-client'],
};

export default config;
