/* server/store/repo/repo_run_fields.h: the members of a run's JSON, for db_json.h. The SQL fragments that select
 * them are in sql/tally.sql, sql/interim.sql, sql/caches.sql and sql/answer.sql. */
#ifndef VIVACE_SERVER_REPO_RUN_FIELDS_H
#define VIVACE_SERVER_REPO_RUN_FIELDS_H

#include "server/store/repo/db_json.h"

static const struct db_field run_counts_fields[] = {FIELD_NUMBER("blocked"),
                                                    FIELD_NUMBER("ready"),
                                                    FIELD_NUMBER("leased"),
                                                    FIELD_NUMBER("done"),
                                                    FIELD_NUMBER("failed"),
                                                    FIELD_NUMBER("cancelled"),
                                                    FIELDS_END};

#define SHARED_TOTAL_FIELDS FIELD_NUMBER("confidence"), FIELD_NUMBER("looks"), FIELD_TEXT("level_note")

static const struct db_field rule_budget_fields[] = {FIELD_NUMBER_IF_ANY("seconds"), FIELD_NUMBER_IF_ANY("jobs"),
                                                     FIELD_NUMBER_IF_ANY("money"),
                                                     FIELD_NUMBER_IF_ANY("price_per_s"), FIELDS_END};

static const struct db_field rule_fields[] = {FIELD_NUMBER("until"),
                                              FIELD_NUMBER("confidence"),
                                              FIELD_NUMBER("resolve"),
                                              FIELD_TEXT("baseline"),
                                              FIELD_ROW("budget", rule_budget_fields),
                                              FIELD_TEXT("approve"),
                                              FIELD_NUMBER("looks"),
                                              FIELD_TEXT("failures"),
                                              FIELD_BOOL("settled"),
                                              FIELDS_END};

static const struct db_field interim_promises_fields[] = {FIELD_TEXT("design"),
                                                          FIELD_BOOL("difference"),
                                                          FIELD_NUMBER("value"),
                                                          FIELD_NUMBER("half_width"),
                                                          FIELD_NUMBER("level"),
                                                          FIELD_NUMBER("final_half_width"),
                                                          FIELD_NUMBER("wanted"),
                                                          FIELD_NUMBER("relative_half_width"),
                                                          FIELD_NUMBER("relative_wanted"),
                                                          FIELD_NUMBER("df"),
                                                          FIELD_BOOL("trusted"),
                                                          FIELD_BOOL("kept"),
                                                          FIELDS_END};

static const struct db_field interim_extension_fields[] = {
    FIELD_TEXT("plan"),   FIELD_NUMBER("jobs"),      FIELD_NUMBER("expected_s"), FIELD_JSON("strata"),
    FIELD_TEXT("answer"), FIELD_TEXT("answered_by"), FIELD_TEXT("answered_at"),  FIELDS_END};

static const struct db_field interim_fields[] = {FIELD_NUMBER("number"),
                                                 FIELD_TEXT("at"),
                                                 FIELD_TEXT("plan"),
                                                 FIELD_NUMBER("jobs"),
                                                 FIELD_NUMBER("spent_s"),
                                                 FIELD_TEXT("unit"),
                                                 FIELD_TEXT("decision"),
                                                 FIELD_JSON("reason"),
                                                 FIELD_ROWS("promises", interim_promises_fields),
                                                 FIELD_ROW("extension", interim_extension_fields),
                                                 FIELDS_END};

static const struct db_field passed_over_list_failure_fields[] = {FIELD_TEXT("class"), FIELD_TEXT("detail"),
                                                                  FIELDS_END};

static const struct db_field passed_over_list_fields[] = {
    FIELD_NUMBER("launch"), FIELD_NUMBER("stratum"),
    FIELD_TEXT("design"),   FIELD_ROW("failure", passed_over_list_failure_fields),
    FIELD_BOOL("replaced"), FIELDS_END};

static const struct db_field passed_over_fields[] = {FIELD_NUMBER("replaced"), FIELD_NUMBER("dropped"),
                                                     FIELD_TEXT("assumption"), FIELDS_END};

static const struct db_field cache_state_fields[] = {FIELD_NUMBER("relative"),
                                                     FIELD_NUMBER("launches"),
                                                     FIELD_NUMBER("launches_before"),
                                                     FIELD_NUMBER("wanted_before"),
                                                     FIELD_NUMBER("missing_before"),
                                                     FIELD_BOOL("whole"),
                                                     FIELD_BOOL("settled"),
                                                     FIELD_NUMBER("share"),
                                                     FIELD_NUMBER("least"),
                                                     FIELD_NUMBER("most"),
                                                     FIELDS_END};

static const struct db_field cache_check_fields[] = {FIELD_NUMBER("launches"), FIELD_TEXT("asked_by"),
                                                     FIELD_TEXT("asked_at"),   FIELD_NUMBER("launches_before"),
                                                     FIELD_TEXT("state"),      FIELD_NUMBER("simulations"),
                                                     FIELD_NUMBER("done"),     FIELD_NUMBER("failed"),
                                                     FIELD_TEXT("why"),        FIELDS_END};

static const struct db_field answer_under_way_fields[] = {FIELD_NUMBER("jobs"),
                                                          FIELD_NUMBER("open"),
                                                          FIELD_NUMBER("blocked"),
                                                          FIELD_NUMBER("missing_traces"),
                                                          FIELD_NUMBER("designs"),
                                                          FIELD_BOOL("cancelled"),
                                                          FIELDS_END};

static const struct db_field answer_fields[] = {FIELD_TEXT("at"),
                                                FIELD_TEXT("plan"),
                                                FIELD_BOOL("final"),
                                                FIELD_NUMBER("launches"),
                                                FIELD_ROW("under_way", answer_under_way_fields),
                                                FIELDS_END};

#endif
