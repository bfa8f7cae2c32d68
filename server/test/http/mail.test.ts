import { expect, it } from 'vitest';
import { startMailReceiver } from '../support/mail-receiver.js';
import { startService } from '../support/service.js';

it('a service with SMTP_URL and MAIL_FROM sends mail and counts it, and none without [service/mail-settings]', async () => {
  const receiver = await startMailReceiver();
  const service = await startService({ env: receiver.env });
  const { mail, metrics } = service.app.deps;
  mail?.send({ to: 'person@example.net', subject: 'Hello', text: 'https://id.example.com/join#abc\n' });
  const [message] = await receiver.arrived(1);
  expect(message).toMatchObject({ to: ['person@example.net'], text: 'https://id.example.com/join#abc\n' });
  expect(message?.headers.from).toBe('Example <svc@example.com>');
  await mail?.close(new AbortController().signal);
  const text = await metrics.read();
  for (const line of ['svc_mail_up 1', 'svc_mail_waiting 0', 'svc_mail_total{result="sent"} 1'])
    expect(text).toContain(line);
  await service.close();
  await receiver.stop();

  const silent = await startService();
  expect(silent.app.deps.mail).toBeUndefined();
  expect(await silent.app.deps.metrics.read()).not.toContain('svc_mail');
  await silent.close();
});
