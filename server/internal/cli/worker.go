package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	v1 "github.com/belfryhq/belfry/gen/go/belfry/v1"
)

func (p *Program) workerCommand() *cobra.Command {
	return group("worker", "Run jobs, and see who does", p.execCommand(), workerList())
}

var workerColumns = []column[*v1.Worker]{
	{"WORKER", (*v1.Worker).GetWorkerId},
	{"TENANT", (*v1.Worker).GetTenantId},
	{"QUEUES", func(w *v1.Worker) string { return orAll(w.GetQueues()) }},
	{"TYPES", func(w *v1.Worker) string { return orAll(w.GetJobTypes()) }},
	{"LEASES", func(w *v1.Worker) string { return count(w.GetLeases()) }},
	{"LAST-SEEN", func(w *v1.Worker) string { return timeText(w.GetLastSeenTime()) }},
}

func orAll(names []string) string {
	if len(names) == 0 {
		return "(all)"
	}
	return strings.Join(names, ",")
}

func workerList() *cobra.Command {
	return call{
		use: "list", short: "List workers that have called within 5 minutes", flags: addLimit,
		run: func(ctx context.Context, cmd *cobra.Command, s *session, _ []string) error {
			all, err := collect(cmd, func(size int32, token string) (page[*v1.Worker], error) {
				one, err := s.Workers().ListWorkers(ctx, &v1.ListWorkersRequest{TenantId: s.tenant, PageSize: size, PageToken: token})
				return page[*v1.Worker]{one.GetWorkers(), one.GetNextPageToken()}, err
			})
			if err != nil {
				return err
			}
			return answerList(cmd, &v1.ListWorkersResponse{Workers: all.items, NextPageToken: all.next}, workerColumns, all.items)
		},
	}.command()
}
