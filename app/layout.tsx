import './globals.css';
import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { Providers } from '#components/shell/providers.tsx';
import { themeCookie, themeFrom } from '#components/shell/theme/theme-name.ts';
import { pageVisit } from '#server/web/runtime-global.ts';

export const metadata: Metadata = {
  description: 'What is in git is what is in your infrastructure, or alarms are sounding.',
  robots: { index: false, follow: false },
};

export const viewport: Viewport = { width: 'device-width', initialScale: 1, colorScheme: 'light dark' };

export default async function RootLayout({ children }: { readonly children: ReactNode }) {
  const theme = themeFrom((await cookies()).get(themeCookie)?.value);
  return (
    <html lang="en">
      <body>
        <Providers theme={theme} viewer={pageVisit().viewer}>
          {children}
        </Providers>
      </body>
    </html>
  );
}
