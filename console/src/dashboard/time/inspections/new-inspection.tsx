import type { NewInspection as Made, Site } from '@svc/sdk';
import { useState } from 'react';
import { Cancel, Dialog, DialogActions } from '../../../ui/dialogs/dialog';
import { Failure } from '../../../ui/failure';
import { Button } from '../../../ui/forms/button';
import { SelectField } from '../../../ui/forms/fields/field';
import { Stack } from '../../../ui/layout/stack';
import { Notice } from '../../../ui/layout/surface';
import { svc } from '../../operations/api';
import { useSend } from '../../operations/send';
import { SecretText } from '../../secret-once';
import { monthAfter, nameOfMonth } from '../parts/months';
import { monthAt } from '../parts/zoned';
import { t } from './language/strings';

const MONTHS = 48;
const HOURS = [24, 72, 168, 336, 720] as const;

/** Asks what to show and for how long, and shows the link and the code. */
export function NewInspection({
  site,
  month,
  onClose,
}: {
  readonly site: Site;
  readonly month: string;
  readonly onClose: () => void;
}) {
  const [from, setFrom] = useState(month);
  const [to, setTo] = useState(month);
  const [hours, setHours] = useState<(typeof HOURS)[number]>(72);
  const create = useSend('createInspection');
  if (create.data) return <Given of={create.data} onClose={onClose} />;
  const current = monthAt(site.timeZone, svc.serverNow());
  const isInOrder = from <= to;
  return (
    <Dialog title={t.adding.title} busy={create.isPending} onClose={onClose}>
      <Stack>
        <MonthField label={t.adding.from} current={current} value={from} onChange={setFrom} />
        <MonthField
          label={t.adding.to}
          current={current}
          value={to}
          onChange={setTo}
          error={isInOrder ? undefined : t.adding.order}
        />
        <SelectField
          label={t.adding.works}
          value={String(hours)}
          onChange={({ target }) => setHours(Number(target.value) as typeof hours)}
        >
          {HOURS.map((each) => (
            <option key={each} value={each}>
              {t.adding.hours[each]}
            </option>
          ))}
        </SelectField>
        {create.error && <Failure error={create.error} />}
        <DialogActions>
          <Cancel />
          <Button
            look="primary"
            busy={create.isPending}
            disabled={!isInOrder}
            onClick={() => create.mutate({ body: { siteId: site.id, from, to, hours } })}
          >
            {t.adding.action}
          </Button>
        </DialogActions>
      </Stack>
    </Dialog>
  );
}

function MonthField({
  label,
  current,
  value,
  onChange,
  error,
}: {
  readonly label: string;
  readonly current: string;
  readonly value: string;
  readonly onChange: (month: string) => void;
  readonly error?: string | undefined;
}) {
  const listed = Array.from({ length: MONTHS }, (_, at) => monthAfter(current, -at));
  const months = listed.includes(value) ? listed : [value, ...listed];
  return (
    <SelectField label={label} value={value} error={error} onChange={({ target }) => onChange(target.value)}>
      {months.map((month) => (
        <option key={month} value={month}>
          {nameOfMonth(month)}
        </option>
      ))}
    </SelectField>
  );
}

/** The link and the code, which are shown only now. */
const Given = ({ of: { url, code }, onClose }: { readonly of: Made; readonly onClose: () => void }) => (
  <Dialog title={t.made.title} onClose={onClose}>
    <Stack>
      <p>{t.made.text}</p>
      <h3>{t.made.link}</h3>
      <SecretText text={url} copy={t.made.copyLink} />
      <h3>{t.made.code}</h3>
      <SecretText text={code} copy={t.made.copyCode} />
      <Notice tone="warn">{t.made.once}</Notice>
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          {t.made.done}
        </Button>
      </DialogActions>
    </Stack>
  </Dialog>
);
