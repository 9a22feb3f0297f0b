# Validation against silicon: see tests/validation/README.md. Included by the Makefile.
VALIDATION_OBJS := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out tests/validation/facts.c tests/validation/validate.c,\
	$(wildcard tests/validation/*.c)) tests/harness/hand.c)

# make facts [GPU=v100] [FACTS_FLAGS=--json]: micro-kernels against what real GPUs measure
facts: $(BUILD)/validation/facts
	@$< $(if $(GPU),--gpu $(GPU)) $(FACTS_FLAGS)
# make validate [VALIDATE_FLAGS=--quick]: whole kernels; pictures into docs/pictures
validate: $(BUILD)/validation/validate
	@$< --pictures docs/pictures $(VALIDATE_FLAGS)
$(BUILD)/validation/%: $(BUILD)/obj/tests/validation/%.o $(VALIDATION_OBJS) $(call libs,simcore record trace base)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS_simcore) $(LIBS_base)
