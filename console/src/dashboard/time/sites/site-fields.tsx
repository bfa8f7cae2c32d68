import type { Site, SiteCreateParams } from '@svc/sdk';
import { useId, useState } from 'react';
import { Choice } from '../../../ui/forms/fields/choice';
import { CheckField, SelectField, TextField } from '../../../ui/forms/fields/field';
import { More } from '../../../ui/forms/more';
import { Stack } from '../../../ui/layout/stack';
import { countries, here } from './countries';

export const SITE_FIELDS = [
  'name',
  'country',
  'timeZone',
  'retentionMonths',
  'breaks',
  'workType',
  'separator',
  'decimal',
  'encoding',
  'hours',
] as const;
export type SiteInput = Readonly<Record<(typeof SITE_FIELDS)[number], string>>;

type From = Site['attendanceFrom'];
type Payroll = NonNullable<Site['payroll']>;

export const FROM: Readonly<Record<From, { readonly name: string; readonly about: string }>> = {
  desk: { name: 'At a desk', about: 'They scan the code of a desk of the site.' },
  anywhere: {
    name: 'Anywhere',
    about: 'Also on their own phone, without a desk. Such events are not on site.',
  },
};

/** What was typed, for the API. Without a type of work there are no settings of payroll. */
export function siteOf(input: SiteInput, attendanceFrom: From) {
  const { name, country, timeZone, retentionMonths, breaks, workType, separator, decimal, encoding, hours } =
    input;
  return {
    ...{ name, country, timeZone, attendanceFrom },
    retentionMonths: Number(retentionMonths),
    breaks: breaks === 'on',
    payroll:
      workType.trim() === ''
        ? null
        : ({ workType: workType.trim(), separator, decimal, encoding, hours } as Payroll),
  } satisfies Omit<SiteCreateParams, 'payroll'> & { payroll: Payroll | null };
}

const DEFAULT_MONTHS = 48;

/** Fields of a site. Those of the zone and the country begin with what this browser has. */
export function SiteFields({
  site,
  from,
  onFrom,
}: {
  readonly site?: Site;
  readonly from: From;
  readonly onFrom: (from: From) => void;
}) {
  const [initial] = useState(site ?? here());
  return (
    <Stack>
      <TextField
        label="Name"
        name="name"
        hint="A place of work, for example North plant."
        defaultValue={site?.name}
        maxLength={100}
        autoComplete="off"
        required
        autoFocus
      />
      <SelectField
        label="Country"
        name="country"
        hint="For Germany and Spain, the sheets flag what their rules on breaks, rest and long days ask to look at."
        defaultValue={initial.country}
        required
      >
        {countries().map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </SelectField>
      <ZoneField zone={initial.timeZone} />
      <Choice legend="Where people clock in" options={FROM} chosen={from} onChoose={onFrom} />
      <CheckField
        label="Phones offer breaks"
        name="breaks"
        defaultChecked={site?.breaks ?? true}
        hint="People begin and end a break themselves. None is ever deducted that nobody took."
      />
      <TextField
        label="Months for which hours are kept"
        name="retentionMonths"
        type="number"
        min={1}
        max={240}
        hint="Whole months, also after a person was erased. Laws often say how long."
        defaultValue={site?.retentionMonths ?? DEFAULT_MONTHS}
        required
      />
      <PayrollFields payroll={site?.payroll ?? null} />
    </Stack>
  );
}

/** The zones of the browser, which it searches while the reader types. */
function ZoneField({ zone }: { readonly zone: string }) {
  const id = useId();
  return (
    <>
      <TextField
        label="Time zone"
        name="timeZone"
        hint="Type a city to search. Days and months of the site begin at its midnight."
        defaultValue={zone}
        list={id}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        required
      />
      <datalist id={id}>
        {Intl.supportedValuesOf('timeZone').map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

const PAYROLL = {
  separator: {
    label: 'Columns are separated by',
    options: { ';': 'Semicolons', ',': 'Commas', tab: 'Tabs' },
  },
  decimal: { label: 'Decimal sign', options: { ',': 'Comma', '.': 'Point' } },
  encoding: {
    label: 'Encoding',
    options: { 'utf-8': 'UTF-8', 'utf-8-bom': 'UTF-8 with a mark', 'windows-1252': 'Windows-1252' },
  },
  hours: {
    label: 'Hours are written as',
    options: { decimal: '7.50', clock: '7:30', minutes: '450 minutes' },
  },
} as const;

const PayrollFields = ({ payroll }: { readonly payroll: Payroll | null }) => (
  <More title="Payroll file" open={payroll !== null}>
    <Stack>
      <TextField
        label="Type of working time"
        name="workType"
        hint="What your payroll calls these hours, for example the number of a type of wage. Empty: work."
        defaultValue={payroll?.workType ?? ''}
        maxLength={32}
        autoComplete="off"
      />
      {Object.entries(PAYROLL).map(([name, { label, options }]) => (
        <SelectField
          key={name}
          label={label}
          name={name}
          defaultValue={payroll?.[name as keyof typeof PAYROLL] ?? Object.keys(options)[0]}
        >
          {Object.entries(options).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </SelectField>
      ))}
    </Stack>
  </More>
);
