# Validation against silicon: see tests/validation/README.md. Included by the Makefile.
VALIDATION_OBJS := $(patsubst %.c,$(BUILD)/obj/%.o,$(filter-out tests/validation/facts.c tests/validation/validate.c,\
	$(wildcard tests/validation/*.c)) tests/harness/hand.c)

# make facts [GPU=v100] [FACTS_FLAGS=--json]: micro-kernels against what real GPUs measure
facts: $(BUILD)/validation/facts
	@$< $(if $(GPU),--gpu $(GPU)) $(FACTS_FLAGS)
# make validate [VALIDATE_FLAGS=--quick]: whole kernels; pictures into docs/pictures
validate: $(BUILD)/validation/validate
	@$< --pictures docs/pictures $(VALIDATE_FLAGS)
# make validate-ptx [VALIDATE_PTX_FLAGS=--quick]: kernels from PTX, as they run without a GPU
validate-ptx: $(BUILD)/vivace
	@VIVACE_BUILD=$(BUILD) node tests/validation/validate_ptx.mjs $(VALIDATE_PTX_FLAGS)
# their PTX anew, where nvcc is on the path
validation-ptx:
	@nvcc -ptx -arch=compute_75 -o tests/validation/ptx/kernels.ptx tests/validation/ptx/kernels.cu
$(BUILD)/validation/%: $(BUILD)/obj/tests/validation/%.o $(VALIDATION_OBJS) $(call libs,simcore record trace base)
	@mkdir -p $(@D)
	$(if $(Q),@echo "  link  $@")
	$(Q)$(CC) $(SANFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS_simcore) $(LIBS_base)
