import type { Tenants } from './demoOrganizations.mts';
import type { SandboxSettings } from './settings.mts';
import type { Store } from './store.mts';

/** The demo's templates and inspections: the same in every run. */
export function addDemoData(store: Store, tenants: Tenants, settings: SandboxSettings): void {
	const template = store.addTemplate({
		name: 'Site safety walk',
		identifier: 'SITE-SAFETY',
		teamId: tenants.north.teams[0]?.id ?? '',
		controls: [
			{
				type: 'page',
				label: 'Site',
				children: [
					{ type: 'text', label: 'Site name', fieldId: 'site_name', required: true },
					{ type: 'number', label: 'Number of workers', fieldId: 'workers' },
				],
			},
		],
	});
	for (let index = 0; index < 50; index++) {
		store.addInspection(
			{
				template: template.id,
				answers: [{ control: 'site_name', value: `Site ${String(index)}` }],
			},
			settings.timestampPrecision === 'ms' ? {} : {},
		);
	}
}
