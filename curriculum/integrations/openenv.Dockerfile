# The OpenEnv server, on the image that the Dockerfile at the top makes:
#   docker build -t logic-curriculum-openenv -f curriculum/integrations/openenv.Dockerfile .
FROM logic-curriculum
RUN pip install "openenv>=0.10,<0.11"
EXPOSE 8000
ENTRYPOINT ["uvicorn", "logic_curriculum.curriculum.integrations.openenv_server:app", "--host", "0.0.0.0", "--port", "8000"]
